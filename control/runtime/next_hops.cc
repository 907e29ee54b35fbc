#include "control/runtime/next_hops.h"

namespace sluice::control {

void NextHops::tick(Nanos now) {
    const auto ports = static_cast<PortIndex>(runtime_.ports().size());
    for (PortIndex port = 0; port < ports; ++port) {
        pmd::UnderlayEnd* const end = runtime_.has(publisher_.running(), port)
                                          ? runtime_.ports()[port]->underlay_end()
                                          : nullptr;
        if (end == nullptr) continue;
        // Announcements of other stations are read first, because requests and answers about the
        // port's own addresses take precedence.
        for (Mailbox* const box : {&end->announcements, &end->neighbours}) {
            for (uint32_t packets = 0; packets < Mailbox::slots && !box->front().empty();
                 ++packets) {
                neighbours_.receive(port, box->front(), now);
                box->pop();
            }
        }
    }
    neighbours_.tick(now);
    for (PortIndex port = 0; port < ports; ++port) {
        pmd::TunnelEnd* const end = runtime_.has(publisher_.running(), port)
                                        ? runtime_.ports()[port]->tunnel_end()
                                        : nullptr;
        if (end == nullptr) continue;
        if (end->bundle != nullptr) neighbours_.resolve(port, *end->bundle, now);
        const auto next_hop = neighbours_.next_hop(port);
        end->set_next_hop(next_hop ? next_hop->mac.value_or(MacAddress{}) : MacAddress{});
    }
}

}  // namespace sluice::control
