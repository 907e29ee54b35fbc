#include "config/port/retry.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "config/choices.h"
#include "config/port/encapsulations.h"
#include "config/port/flow_control.h"
#include "config/port/key_parts.h"
#include "config/yaml/values.h"
#include "config/yaml/whole.h"
#include "dataplane/credits/credit_buffer.h"
#include "dataplane/retry/retry_shim.h"

namespace sluice::config {

namespace {

bool has_retry(const Value& port) { return port["retry"]["enabled"].number != 0; }

class RetryRules {
  public:
    RetryRules(const Value& file, const Value& port, Report& report)
        : file_(file), port_(port), report_(report) {}

    void check() {
        const Value& enabled = port_["retry"]["enabled"];
        if (port_["lossless"].items.empty()) {
            fault(enabled, "needs a lossless priority",
                  "write lossless: [3] or the like, or leave it out");
        }
        if (is_tunnel_to_many(port_)) {
            fault(enabled, "not supported on point-to-multipoint tunnels",
                  "leave it out, or write a port for each of them: vxlan:PORT/ADDRESS/VNI");
        }
        if (port_["underlay"].written) {
            fault(port_["underlay"], "cannot be combined with retry: frames of tunnels bypass it",
                  "leave it out, or write retry at its tunnels");
        }
        if (!port_["lanes"].items.empty()) {
            fault(port_["lanes"], "cannot be combined with retry", without);
        }
        if (pauses_by_rings(port_)) {
            fault(port_["pfc"]["by"], fmt::format("{} bypasses retry", name_of(pauser_of(port_))),
                  without);
        }
        if (port_["format"].valid && port_["format"].text != "standard") {
            fault(enabled, "not supported for frames of " + port_["format"].text,
                  "leave it out, or write format: standard");
        }
        const Value& lldp = port_["lldp"]["mode"];
        if (lldp.valid && lldp.text != "both") {
            fault(lldp,
                  fmt::format("is {}, but retry needs LLDP both ways to find a peer with retry",
                              lldp.text),
                  "write both, or leave retry out");
        }
        is_of_no_aggregation(enabled);
        fits_its_frames(port_["retry"]["buffer"]);
        if (port_["retry"]["resequence"].number != 0) fits_its_frames(port_["retry"]["resequence"]);
    }

  private:
    static constexpr std::string_view leave_out = "leave it out";
    static constexpr std::string_view without = "leave it out, or leave retry out";

    void fault(const Value& value, std::string what, std::string_view remedy) {
        report_.add(value.at, value.path, std::move(what), std::string(remedy));
    }

    // A flow that moves to another member of the aggregation would overtake frames that this member
    // resends.
    void is_of_no_aggregation(const Value& enabled) {
        for (const Value& aggregation : file_["aggregations"].items) {
            for (const Value& member : aggregation["ports"].items) {
                if (member.text != port_["name"].text) continue;
                fault(enabled,
                      fmt::format(
                          "not supported on a member of {}, whose flows may move to another member",
                          aggregation["name"].text),
                      leave_out);
            }
        }
    }
    // With room for fewer than sixteen of the longest frames, the sender would wait for
    // acknowledgements.
    void fits_its_frames(const Value& buffer) {
        if (!buffer.valid || !buffer.written || !port_["mtu"].valid) return;
        const int64_t least = 16 * (port_["mtu"].number + 22 + int64_t{retry_shim_octets});
        if (buffer.number >= least) return;
        fault(buffer,
              fmt::format("{} holds fewer than 16 frames of mtu {}", format_size(buffer.number),
                          port_["mtu"].number),
              fmt::format("write {} or more", format_size(least)));
    }

    const Value& file_;
    const Value& port_;
    Report& report_;
};

}  // namespace

void check_retry(const Value& file, const Value& port, Report& report) {
    if (has_retry(port)) RetryRules(file, port, report).check();
}

// Returns `replay_timer`. If it is not written, returns a time that is long enough even if all kept
// frames wait in the device and an operating system suspends either end for a while.
Nanos replay_timer(const Value& port) {
    const Value& written = port["retry"]["replay_timer"];
    if (written.written) return Nanos(written.number);
    constexpr Nanos of_schedulers{1'000'000};
    const Value& pfc = port["pfc"];
    const Nanos round_trip(2 * (cable_picoseconds(pfc["cable"].number) / 1000) +
                           2 * pfc["response"].number);
    // The link may be slower than the default of `speed`.
    constexpr int64_t slowest = 1'000'000'000;
    const Value& speed = port["speed"];
    const Nanos in_device =
        transmission_time(Bytes(port["retry"]["buffer"].number),
                          BitsPerSecond(speed.written ? speed.number : slowest));
    return of_schedulers + round_trip + in_device;
}

std::string_view word_for(RetryAction action) {
    return keys::retry_actions[static_cast<std::size_t>(action)];
}

RetrySettings retry_settings(const Value& port) {
    const Value& retry = port["retry"];
    return {.is_on = has_retry(port),
            .buffer = Bytes(retry["buffer"].number),
            .resequence = Bytes(retry["resequence"].written ? retry["resequence"].number
                                                            : retry["buffer"].number),
            .replay_timer = replay_timer(port),
            .replay_count_max = whole<uint32_t>(retry["replay_count_max"]),
            .data_age = Nanos(retry["data_age"].number),
            .init = choice<RetryAction>(retry["init"]),
            .flush = choice<RetryAction>(retry["flush"])};
}

Bytes octets_in_front(const Value& port) {
    return has_retry(port) ? Bytes(retry_shim_octets) : Bytes(0);
}

}  // namespace sluice::config
