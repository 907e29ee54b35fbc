#include "config/port/flow_control.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <utility>

#include "config/port/device_words.h"
#include "dataplane/types/limits.h"

namespace sluice::config {

namespace {

constexpr auto with_rings =
    schemes_where<[](const DeviceTraits& device) { return device.pauses_by_ring; }>();

class FlowControlRules {
  public:
    FlowControlRules(const Value& port, Report& report) : port_(port), report_(report) {}

    void check() {
        pfc_is_there();
        flow_control_is_one();
        if (pauses_by_nic(port_)) nic_does_it_alone();
        const bool is_written = port_["pfc"]["by"].written;
        if (is_written && pauser_of(port_) == PfcBy::ring) its_ring_is_ours();
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    // Reports lossless priorities in a build without PFC: a fault is better than lost frames.
    void pfc_is_there() {
        const Value& lossless = port_["lossless"];
        if (with_pfc || lossless.items.empty()) return;
        fault(lossless, "this sluiced was built without PFC",
              "leave it out, or build without SLUICE_WITHOUT_PFC");
    }

    void flow_control_is_one() {
        const Value& control = port_["flow_control"];
        if (control.text != "none") return;
        const Value& lossless = port_["lossless"];
        if (!lossless.items.empty()) {
            fault(lossless.written ? lossless : control,
                  "cannot be combined with flow_control: none",
                  "write [] here, or flow_control: pfc");
        }
        for (const std::string_view key : {"link_pause", "asymmetric"}) {
            const Value& obeys = port_["pfc"][key];
            if (obeys.number == 0) continue;
            fault(obeys, "cannot be combined with flow_control: none",
                  "write false, or flow_control: pfc");
        }
    }

    // The NIC has queues for the priorities that are lossless when it is opened, and sends the
    // pause frames by itself.
    void nic_does_it_alone() {
        const Value& pfc = port_["pfc"];
        constexpr std::string_view remedy = "leave it out, or write by: switch";
        if (port_["flow_control"].text == "none") {
            fault(pfc["by"], "has no effect with flow_control: none", "leave it out");
        }
        if (!port_["lanes"].items.empty()) {
            fault(port_["lanes"],
                  "cannot be used with pfc.by: nic, which needs the queues for priorities",
                  "leave it out, or write pfc: {by: switch}");
        }
        for (const std::string_view key :
             {"cable", "response", "relay_delay", "pause", "tx_limit"}) {
            const Value& value = pfc[key];
            if (!value.valid || value.is_of_defaults() || !value.says_something()) continue;
            fault(value, "has no effect with pfc.by: nic", std::string(remedy));
        }
        if (pfc["asymmetric"].number != 0) {
            fault(pfc["asymmetric"],
                  "cannot be used with pfc.by: nic, which has no queues for lossy priorities",
                  std::string(remedy));
        }
        const Value& action = pfc["watchdog"]["action"];
        if (action.text == "forward") {
            fault(action, "cannot be used with pfc.by: nic, which sends nothing during a pause",
                  "write alert or drop, or by: switch");
        }
        for (const Value& feature : port_["dcbx"]["willing"].items) {
            if (feature.text != "pfc") continue;
            fault(feature, "cannot be used with pfc.by: nic, whose queues are made at start",
                  "leave it out, or write pfc: {by: switch}");
        }
    }

    // Frames that the switch does not receive must stay in the device, and the ring must belong to
    // one port and one worker.
    void its_ring_is_ours() {
        const Value& by = port_["pfc"]["by"];
        const std::string_view scheme = scheme_of(port_["device"].text);
        const DeviceTraits* const traits = traits_of(scheme);
        const bool has_ring = traits != nullptr && traits->pauses_by_ring;
        if (!by.is_of_defaults() && !port_["device"].text.empty() && !has_ring) {
            fault(by, fmt::format("is ring, but frames that {} does not take are lost", scheme),
                  fmt::format("write by: switch, or a device of {}", fmt::join(with_rings, ", ")));
        }
        if (port_["flow_control"].text == "none") {
            fault(by, "has no effect with flow_control: none", "leave it out");
        }
        if (!port_["lanes"].items.empty()) {
            fault(port_["lanes"], "cannot be used with pfc.by: ring",
                  "leave it out, or write pfc: {by: switch}");
        }
    }

    const Value& port_;
    Report& report_;
};

}  // namespace

void check_flow_control(const Value& port, Report& report) {
    FlowControlRules(port, report).check();
}

PfcBy pauser_of(const Value& port) {
    const Value& by = port["pfc"]["by"];
    if (by.written && by.valid) return static_cast<PfcBy>(by.number);
    const bool would_be_alone = port["lanes"].items.empty() && port["flow_control"].text == "pfc";
    const DeviceTraits* const traits = traits_of_device(port["device"].text);
    const bool has_guest = traits != nullptr && traits->has_guest;
    return has_guest && would_be_alone ? PfcBy::ring : PfcBy::frames;
}

}  // namespace sluice::config
