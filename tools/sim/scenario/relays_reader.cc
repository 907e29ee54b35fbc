#include "tools/sim/scenario/relays_reader.h"

#include <fmt/format.h>

#include "tools/sim/scenario/layout_reader.h"

namespace sluice::sim {

namespace {

constexpr std::string_view relay_key = "pause_relay";

bool can_relay(Fields& fields, const SwitchDraft& draft, PortIndex port) {
    if (port >= draft.ports.size() || !draft.ports[port]) {
        fields.fault(relay_key, fmt::format("port {} of {} has no cable", port, draft.name),
                     "name the ports of two cables");
        return false;
    }
    if (draft.ports[port]->flow_control == FlowControl::pfc) return true;
    fields.fault(relay_key, fmt::format("nothing is paused at port {} of {}", port, draft.name),
                 "write flow_control: pfc for its cable");
    return false;
}

}  // namespace

void read_relays(const std::vector<SwitchDraft>& drafts, std::vector<SwitchSpec>& switches) {
    for (std::size_t n = 0; n < drafts.size(); ++n) {
        if (!drafts[n].own || !drafts[n].own->has(relay_key)) continue;
        Fields fields = *drafts[n].own;
        const auto [first, second] = two_ports(fields, relay_key);
        if (!first || !second) continue;
        if (*first == *second) {
            fields.fault(relay_key, "is one port twice", "name the ports of two cables");
            continue;
        }
        if (!can_relay(fields, drafts[n], *first) || !can_relay(fields, drafts[n], *second)) {
            continue;
        }
        PfcSettings& one = switches[n].settings.ports[*first].pfc;
        PfcSettings& other = switches[n].settings.ports[*second].pfc;
        const PrioritySet both = one.lossless & other.lossless;
        if (both == 0) {
            fields.fault(relay_key, "joins two ports without a common lossless priority",
                         "write lossless: [3] or the like for both");
        }
        one.relay = {.to = *second, .priorities = both};
        other.relay = {.to = *first, .priorities = both};
    }
}

}  // namespace sluice::sim
