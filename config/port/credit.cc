#include "config/port/credit.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "config/port/encapsulations.h"
#include "config/port/flow_control.h"
#include "config/port/set_aside.h"
#include "config/yaml/values.h"
#include "dataplane/credits/credit_terms.h"

namespace sluice::config {

namespace {

class CreditRules {
  public:
    CreditRules(const Value& file, const Value& port, Report& report)
        : file_(file), port_(port), report_(report) {}

    void check() {
        does_it_alone();
        has_room();
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    // With credit the peer sends only frames for which this port has room, in their order. Other
    // mechanisms are therefore refused.
    void does_it_alone() {
        const Value& pfc = port_["pfc"];
        constexpr std::string_view remedy = "leave it out, or write flow_control: pfc";
        if (pfc["link_pause"].number != 0) {
            fault(pfc["link_pause"], "cannot be combined with flow_control: credit",
                  std::string(remedy));
        }
        if (pfc["asymmetric"].number != 0) {
            fault(pfc["asymmetric"], "cannot be combined with flow_control: credit",
                  std::string(remedy));
        }
        if (pauses_by_rings(port_)) {
            fault(pfc["by"],
                  fmt::format("{} cannot be combined with flow_control: credit",
                              name_of(pauser_of(port_))),
                  std::string(remedy));
        }
        if (pfc["trigger"].valid && pfc["trigger"].text == "egress") {
            fault(pfc["trigger"], "egress cannot be combined with flow_control: credit",
                  "write ingress, or flow_control: pfc");
        }
        const Value& lanes = port_["lanes"];
        if (!lanes.items.empty()) {
            fault(lanes, "cannot be combined with flow_control: credit",
                  "leave it out, or write flow_control: pfc");
        }
        const Value& control = port_["flow_control"];
        if (is_tunnel(port_)) {
            fault(control, "credit is not supported on tunnels", "write flow_control: pfc or none");
        }
        if (port_["underlay"].written) {
            fault(port_["underlay"], "cannot be combined with flow_control: credit",
                  "leave it out, or write flow_control: pfc");
        }
        if (port_["format"].valid && port_["format"].text != "standard") {
            fault(control, "credit is not supported for frames of " + port_["format"].text,
                  "write flow_control: pfc, or format: standard");
        }
        if (port_["lossless"].items.empty()) {
            fault(control, "credit needs a lossless priority",
                  "write lossless: [3] or the like, or leave it out");
        }
        const Value& lldp = port_["lldp"]["mode"];
        if (lldp.valid && lldp.text != "both") {
            fault(lldp,
                  fmt::format(
                      "is {}, but credit needs LLDP both ways to find a peer that uses credit",
                      lldp.text),
                  "write both, or flow_control: pfc");
        }
    }

    // With a smaller buffer the peer would wait for a refresh after each frame. The default is
    // large enough, but may exceed the counters of an update.
    void has_room() {
        const Value& buffer = file_["buffer"];
        const Value& written = port_["credit"]["buffer"];
        if (!written.valid) return;
        if (!needs_are_known(port_, buffer) || !port_["credit"]["quantum"].valid) return;
        const Bytes all = credit_buffer(port_, buffer);
        if (all > largest_credit_buffer) {
            fault(port_["flow_control"],
                  fmt::format("is credit, which needs {} of each lossless priority, above {}",
                              format_size(all.count()), format_size(largest_credit_buffer.count())),
                  "write a smaller credit.buffer, quantum, pfc.cable or pfc.response");
        }
        if (!written.written) return;
        const Bytes cell(buffer["cell"].number);
        const Bytes least =
            whole_cells(largest_frame(port_), cell) + whole_cells(credit_quantum(port_), cell);
        if (Bytes(written.number) >= least) return;
        fault(written,
              fmt::format("{} is below the {} of a largest frame and a quantum",
                          format_size(written.number), format_size(least.count())),
              fmt::format("write {} or more, or a smaller quantum", format_size(least.count())));
    }

    const Value& file_;
    const Value& port_;
    Report& report_;
};

}  // namespace

void check_credit(const Value& file, const Value& port, Report& report) {
    if (goes_by_credit(port)) CreditRules(file, port, report).check();
}

}  // namespace sluice::config
