// Retries: the ends of a switch's links with retry (port_retry.h), by port, and what control says
// of their peers.
//
// Control makes an end before the port's worker knows of it, and it stays as long as the switch:
// so workers take no memory. Each end is its port's worker's; of the others here each word has one
// writer.
// Bound: as many ends as ports. Not done here: whose turn it is (poll_retry.h).
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "dataplane/limits.h"
#include "dataplane/link_peer.h"
#include "dataplane/retry/port_retry.h"

namespace sluice {

class Retries {
  public:
    // --- by control -----------------------------------------------------------------------------
    // What a port goes by from now on. With other settings than before it begins anew.
    void use(PortIndex port, const RetrySettings& settings) {
        const PortSet before = ports();
        const bool is_another = used_[port] != settings;
        if (settings.is_on && (current_[port] == nullptr || is_another)) {
            made_.push_back(std::make_unique<PortRetry>(settings));
            used_[port] = settings;
            current_[port].store(made_.back().get(), std::memory_order_release);
        }
        ports_.store(settings.is_on ? before | only(port) : before & ~only(port),
                     std::memory_order_release);
    }
    // Whether the peer of a port has it, as far as is known, and for which priorities.
    void set_peer(PortIndex port, LinkPeer peer, PrioritySet offered) {
        offers_[port].store(offered, std::memory_order_relaxed);
        peers_[port].store(peer, std::memory_order_relaxed);
    }

    // --- by any thread --------------------------------------------------------------------------
    [[nodiscard]] PortSet ports() const { return ports_.load(std::memory_order_acquire); }
    [[nodiscard]] LinkPeer peer(PortIndex port) const {
        return peers_[port].load(std::memory_order_relaxed);
    }
    [[nodiscard]] PrioritySet offered(PortIndex port) const {
        return offers_[port].load(std::memory_order_relaxed);
    }
    // Of a port of `ports`.
    [[nodiscard]] const RetryWatch& watch(PortIndex port) const {
        return current_[port].load(std::memory_order_acquire)->watch();
    }

    // --- by the port's worker -------------------------------------------------------------------
    [[nodiscard]] PortRetry& end(PortIndex port) {
        return *current_[port].load(std::memory_order_acquire);
    }

  private:
    std::atomic<PortSet> ports_{0};
    std::array<std::atomic<LinkPeer>, max_ports> peers_{};
    std::array<std::atomic<PrioritySet>, max_ports> offers_{};
    std::array<std::atomic<PortRetry*>, max_ports> current_{};
    std::array<RetrySettings, max_ports> used_{};   // control's
    std::vector<std::unique_ptr<PortRetry>> made_;  // likewise; a worker may still have an old one
};

}  // namespace sluice
