// Retries: holds each port's retry end (port_retry.h), and what control sets about each peer.
//
// Control creates an end before the port's worker can see the end, and frees a replaced end once
// that worker no longer uses it, so workers neither allocate nor free. An end belongs to its port's
// worker. Each other word here has one writer.
// Bound: one end a port, and the replaced ends that a worker may still use. Not here: when ends run
// (poll_retry.h).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "dataplane/retry/port_retry.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/link_peer.h"

namespace sluice {

class Retries {
  public:
    // --- by control -----------------------------------------------------------------------------
    // Sets a port's settings. If retry is switched on or a buffer size changes, the port gets a new
    // end without frames, with counters of 0. Changed timers need no new end: the port's worker
    // passes the timers to the present end (poll_retry.h). The state of the peer is kept while the
    // port has retry.
    void use(PortIndex port, const RetrySettings& settings) {
        free_seen();
        const RetrySettings before = std::exchange(used_[port], settings);
        const bool is_switched = before.is_on != settings.is_on;
        const bool has_buffers_of_before =
            before.buffer == settings.buffer && before.resequence == settings.resequence;
        if (!is_switched && (!settings.is_on || has_buffers_of_before)) return;
        const PortSet others = ports() & ~only(port);
        ports_.store(others, std::memory_order_release);
        if (is_switched) set_peer(port, LinkPeer::unknown, 0);
        const uint32_t generation = generation_.load(std::memory_order_relaxed) + 1;
        if (made_[port]) {
            const Lost counted = lost_by(*made_[port]);
            lost_[port] += counted;
            retired_.push_back({port, generation, counted, std::move(made_[port])});
        }
        if (settings.is_on) {
            made_[port] = std::make_unique<PortRetry>(settings);
            current_[port].store(made_[port].get(), std::memory_order_release);
            ports_.store(others | only(port), std::memory_order_release);
        }
        generation_.store(generation, std::memory_order_release);
    }
    // Frees replaced ends that no worker uses any more. The frames that they kept are given up.
    void free_seen() {
        std::erase_if(retired_, [this](const Retired& retired) {
            const uint32_t seen = seen_[retired.port].load(std::memory_order_acquire);
            if (static_cast<int32_t>(seen - retired.generation) < 0) return false;
            retired.end->stop();
            lost_[retired.port] += lost_by(*retired.end) - retired.counted;
            return true;
        });
    }
    // Returns the number of replaced ends that a worker may still use.
    [[nodiscard]] std::size_t retired() const { return retired_.size(); }
    // Returns the frames that the present and all earlier ends of a port gave up or abandoned
    // (RetryTally).
    [[nodiscard]] uint64_t lost(PortIndex port) const {
        return lost_[port] + (made_[port] ? lost_by(*made_[port]) : 0);
    }
    // Sets whether the peer of a port supports retry, and the priorities that the peer offers.
    void set_peer(PortIndex port, LinkPeer peer, PrioritySet offered) {
        offers_[port].store(offered, std::memory_order_relaxed);
        peers_[port].store(peer, std::memory_order_relaxed);
    }

    // Returns the watch of a port of `ports`. It is valid until the next `use` of that port.
    [[nodiscard]] const RetryWatch& watch(PortIndex port) const {
        return current_[port].load(std::memory_order_acquire)->watch();
    }

    // --- by any thread --------------------------------------------------------------------------
    [[nodiscard]] PortSet ports() const { return ports_.load(std::memory_order_acquire); }
    [[nodiscard]] LinkPeer peer(PortIndex port) const {
        return peers_[port].load(std::memory_order_relaxed);
    }
    [[nodiscard]] PrioritySet offered(PortIndex port) const {
        return offers_[port].load(std::memory_order_relaxed);
    }

    // --- by the port's worker -------------------------------------------------------------------
    // Returns the number of the latest change by control. Called at the start of each poll.
    [[nodiscard]] uint32_t generation() const {
        return generation_.load(std::memory_order_acquire);
    }
    // Records that the worker of the ports `own` uses no end that was replaced up to `generation`.
    void note_seen(uint32_t generation, PortSet own) {
        for_each_port(
            own, [&](PortIndex port) { seen_[port].store(generation, std::memory_order_release); });
    }
    [[nodiscard]] PortRetry& end(PortIndex port) {
        return *current_[port].load(std::memory_order_acquire);
    }

  private:
    using Lost = uint64_t;  // frames
    static Lost lost_by(const PortRetry& end) {
        return end.watch().given_up.value() + end.watch().abandoned.value();
    }
    struct Retired {
        PortIndex port;
        uint32_t generation;  // first generation in which no worker finds the end
        Lost counted;         // frames that the end had lost when it was replaced
        std::unique_ptr<PortRetry> end;
    };

    std::atomic<PortSet> ports_{0};
    std::atomic<uint32_t> generation_{0};  // number of changes by `use`
    std::array<std::atomic<LinkPeer>, max_ports> peers_{};
    std::array<std::atomic<PrioritySet>, max_ports> offers_{};
    std::array<std::atomic<PortRetry*>, max_ports> current_{};
    std::array<std::atomic<uint32_t>, max_ports> seen_{};  // generation that the worker uses
    // The next members are used by control only.
    std::array<RetrySettings, max_ports> used_{};
    std::array<std::unique_ptr<PortRetry>, max_ports> made_;
    std::vector<Retired> retired_;
    std::array<Lost, max_ports> lost_{};  // frames lost by replaced ends
};

}  // namespace sluice
