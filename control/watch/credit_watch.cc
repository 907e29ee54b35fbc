#include "control/watch/credit_watch.h"

#include <fmt/format.h>

#include "control/show/credits.h"

namespace sluice::control {

void CreditWatch::tick(Nanos now) {
    const bool has_lldp = publisher_.running().lldp.enabled;
    for (PortIndex port = 0; port < seen_.size(); ++port) {
        if ((dataplane_.credit_peer(port) == CreditPeer::no_lldp) == has_lldp) {
            dataplane_.set_credit_peer(port, has_lldp ? CreditPeer::unknown : CreditPeer::no_lldp,
                                       0);
        }
        Seen& seen = seen_[port];
        const CreditState state = dataplane_.credit(port).state();
        const uint64_t refusals = dataplane_.credit(port).refusals();
        if (std::exchange(seen.refusals, refusals) != refusals) announce_(port, now);
        const bool is_news = state == CreditState::credit || state == CreditState::without;
        if (!is_news || std::exchange(seen.reported, state) == state) continue;
        if (state == CreditState::credit) {
            events_.notice("credit_begun", port, "credit-based flow control active");
        } else {
            events_.warn("credit_fallback", port,
                         fmt::format("using PFC: {}", why_no_credit(dataplane_, port)));
        }
    }
}

}  // namespace sluice::control
