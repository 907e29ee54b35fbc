#include "control/watch/retry_watch.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "control/show/retry.h"
#include "dataplane/retry/retries.h"

namespace sluice::control {

namespace {

std::string_view meanwhile(RetryAction action) {
    switch (action) {
        case RetryAction::block:
            return "its lossless frames wait for retry";
        case RetryAction::discard:
            return "its lossless frames are dropped (no_retry_session) until it has retry";
        default:
            return "its frames are sent without retry";
    }
}

}  // namespace

void RetryReports::tick(Nanos now) {
    const bool has_lldp = publisher_.running().lldp.enabled;
    Retries& retries = dataplane_.retries();
    look_for_losses();
    for_each_port(retries.ports(), [&](PortIndex port) {
        seen_[port].name = publisher_.running().ports[port].name;
        if ((retries.peer(port) == LinkPeer::no_lldp) == has_lldp) {
            retries.set_peer(port, has_lldp ? LinkPeer::unknown : LinkPeer::no_lldp, 0);
        }
        look(port, now);
    });
}

void RetryReports::stop(Nanos /*now*/) { look_for_losses(); }

void RetryReports::look_for_losses() {
    Retries& retries = dataplane_.retries();
    retries.free_seen();
    for (PortIndex port = 0; port < seen_.size(); ++port) {
        const auto frames = events_.growth("retry_given_up", port, retries.lost(port),
                                           std::chrono::steady_clock::now());
        if (!frames) continue;
        events_.warn("retry_given_up", {port, seen_[port].name},
                     fmt::format("{} unacknowledged frame(s) given up: link, peer, port or switch "
                                 "went down, or retry.replay_count_max or data_age was reached; "
                                 "those that had not arrived are lost",
                                 *frames));
    }
}

void RetryReports::look(PortIndex port, Nanos now) {
    Seen& seen = seen_[port];
    const RetryWatch& watch = dataplane_.retries().watch(port);
    const bool open = RetrySender::is_open(watch.send_state.load(std::memory_order_relaxed));
    if (open || !dataplane_.link(port)) {
        seen.closed_since = Nanos(-1);
    } else if (seen.closed_since == Nanos(-1)) {
        seen.closed_since = now;
    }
    if (open) {
        if (std::exchange(seen.said, Said::begun) == Said::begun) return;
        events_.notice("retry_begun", port, "link-level retry active");
    } else if (seen.closed_since != Nanos(-1) && now - seen.closed_since >= patience) {
        if (std::exchange(seen.said, Said::without) == Said::without) return;
        events_.warn("retry_fallback", port,
                     fmt::format("{}: {}", meanwhile(action_without_session(watch)),
                                 why_no_retry(dataplane_, port)));
    }
}

}  // namespace sluice::control
