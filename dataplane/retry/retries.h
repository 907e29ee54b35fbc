// Retries: the ends of a switch's links with retry (port_retry.h), by port, and what control says
// of their peers.
//
// Control makes an end before the port's worker knows of it, and frees one that is used no more
// once that worker has seen so: workers neither take memory nor give any back. Each end is its
// port's worker's; of the others here each word has one writer.
// Bound: as many ends as ports, and those that a worker has still to see are gone. Not done here:
// whose turn it is (poll_retry.h).
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
    // What a port goes by from now on. With another buffer than before, or none before, it begins
    // anew: with nothing kept, and counts of 0. Other times its worker hands to the end that it has
    // (poll_retry.h). What is known of its peer stays as long as the port has retry.
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
    // Frees ends that are used no more, once no worker has them: what they kept is given up.
    void free_seen() {
        std::erase_if(retired_, [this](const Retired& retired) {
            const uint32_t seen = seen_[retired.port].load(std::memory_order_acquire);
            if (static_cast<int32_t>(seen - retired.generation) < 0) return false;
            retired.end->stop();
            lost_[retired.port] += lost_by(*retired.end) - retired.counted;
            return true;
        });
    }
    // Ends that are used no more, and that a worker may still have.
    [[nodiscard]] std::size_t retired() const { return retired_.size(); }
    // Frames that all ends which were ever at a port gave up, or had acknowledged and abandoned.
    [[nodiscard]] uint64_t lost(PortIndex port) const {
        return lost_[port] + (made_[port] ? lost_by(*made_[port]) : 0);
    }
    // Whether the peer of a port has it, as far as is known, and for which priorities.
    void set_peer(PortIndex port, LinkPeer peer, PrioritySet offered) {
        offers_[port].store(offered, std::memory_order_relaxed);
        peers_[port].store(peer, std::memory_order_relaxed);
    }

    // Of a port of `ports`; not beyond the next `use`.
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
    // Once a poll, before anything else: of what control changed.
    [[nodiscard]] uint32_t generation() const {
        return generation_.load(std::memory_order_acquire);
    }
    // The worker of these ports has no end any more that was replaced before that generation.
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
        uint32_t generation;  // from which on no worker finds it
        Lost counted;         // that it had lost then
        std::unique_ptr<PortRetry> end;
    };

    std::atomic<PortSet> ports_{0};
    std::atomic<uint32_t> generation_{0};  // of `use`
    std::array<std::atomic<LinkPeer>, max_ports> peers_{};
    std::array<std::atomic<PrioritySet>, max_ports> offers_{};
    std::array<std::atomic<PortRetry*>, max_ports> current_{};
    std::array<std::atomic<uint32_t>, max_ports> seen_{};  // by the port's worker
    // Control's:
    std::array<RetrySettings, max_ports> used_{};
    std::array<std::unique_ptr<PortRetry>, max_ports> made_;
    std::vector<Retired> retired_;
    std::array<Lost, max_ports> lost_{};  // by ends that are used no more
};

}  // namespace sluice
