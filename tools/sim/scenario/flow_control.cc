#include "tools/sim/scenario/flow_control.h"

#include <fmt/format.h>

#include <limits>

#include "config/yaml/values.h"
#include "dataplane/buffer/dynamic_threshold.h"

namespace sluice::sim {

namespace {

CreditTerms terms(const PortSettings& port, const Cable& cable, Bytes cell, Nanos stages = {}) {
    const bool written = cable.credit_buffer.count() > 0;
    return {.lossless = port.pfc.lossless,
            .buffer =
                written ? cable.credit_buffer : credit_buffer(cable, port.max_frame, cell, stages),
            .cell = cell};
}

class FlowControlOfCables {
  public:
    FlowControlOfCables(NetworkScenario& scenario, Fields& file)
        : scenario_(scenario), file_(file) {}

    void use() {
        const bool written_out = !file_.has("topology");
        for (const HostSpec& host : scenario_.hosts) {
            apply(host.at, host.cable, written_out ? "hosts" : "cable");
        }
        for (const LinkSpec& link : scenario_.links) {
            apply(link.from, link.cable, written_out ? "links" : "cable");
            apply(link.to, link.cable, written_out ? "links" : "cable");
        }
        if (!has_credit_) return;
        for (const SwitchSpec& node : scenario_.switches) check_buffer(node);
    }

  private:
    void apply(const Place& place, const Cable& cable, const char* key) {
        SwitchSpec& node = scenario_.switches[place.node];
        PortSettings& port = node.settings.ports[place.port];
        if (cable.flow_control == FlowControl::none) port.pfc.lossless = 0;
        if (cable.flow_control != FlowControl::credit) return;
        has_credit_ = true;
        const CreditTerms into = terms_into_port(node, place.port, cable);
        const Bytes untold = whole_cells(cable.credit_pace.quantum - Bytes(1), into.cell);
        const Bytes least = whole_cells(port.max_frame, into.cell) + untold;
        if (into.buffer < least && !announced_) {
            announced_ = true;
            file_.fault(key,
                        fmt::format("has a credit.buffer of {} at {}, below the longest frame{}",
                                    config::format_size(into.buffer.count()), node.name,
                                    untold > Bytes(0) ? " and a credit.quantum" : ""),
                        fmt::format("write {} or more, or remove it to use what the cable needs",
                                    config::format_size(least.count())));
        }
        PfcSettings& pfc = port.pfc;
        pfc.trigger = PauseTrigger::ingress;
        pfc.alpha_128 = 0;
        // One cell more than the buffer, so that the reserve is never full.
        pfc.reserved = whole_cells(into.buffer, into.cell) + into.cell;
        pfc.xoff = pfc.xon = Bytes(std::numeric_limits<int64_t>::max());
        pfc.headroom = Bytes(0);
    }

    void check_buffer(const SwitchSpec& node) {
        const Bytes shared = shared_size(node.settings);
        if (shared.count() > 0) return;
        const Bytes size = node.settings.buffer.size;
        file_.fault(
            file_.has("switch") ? "switch" : "switches",
            fmt::format(
                "a buffer.size of {} leaves nothing to share at {}: credit reserves the rest",
                config::format_size(size.count()), node.name),
            fmt::format("write more than {}", config::format_size((size - shared).count())));
    }

    NetworkScenario& scenario_;
    Fields& file_;
    bool has_credit_ = false;
    bool announced_ = false;
};

}  // namespace

CreditTerms terms_into_port(const SwitchSpec& node, PortIndex port, const Cable& cable) {
    return terms(node.settings.ports[port], cable, node.settings.buffer.cell);
}

CreditTerms terms_into_host(const SwitchSpec& node, const HostSpec& host) {
    return terms(node.settings.ports[host.at.port], host.cable, Bytes(1), host.rx_latency);
}

void use_flow_control(NetworkScenario& scenario, Fields& file) {
    FlowControlOfCables(scenario, file).use();
}

}  // namespace sluice::sim
