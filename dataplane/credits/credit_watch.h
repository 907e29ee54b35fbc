// CreditWatch: the state and counters of one end of a link with credit, for readers in any thread.
// The port's worker writes them, once a poll.
// Bound: five words a priority. Not here: names and JSON (control/show/credits.h).
#pragma once

#include <array>
#include <atomic>
#include <cassert>

#include "dataplane/credits/credit_end.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

class CreditWatch {
  public:
    // The counts of one priority, modulo 2^32 as in an update.
    struct Channel {
        CounterOf<uint32_t> limit;  // limit that the peer advertises
        CounterOf<uint32_t> consumed;
        CounterOf<uint32_t> advertised;  // limit advertised to the peer
        Counter occupied;                // octets stored in the buffer
        Counter blocked;                 // ns for which frames waited for credit or for a session
    };

    // Updates the state. `backlog`: priorities that have frames; `lacking`: the priorities among
    // them whose frames lack credit. A priority that waits at two consecutive calls counts as
    // waiting all the time between them.
    void look(const CreditEnd& end, PrioritySet lacking, PrioritySet backlog, Nanos now) {
        const PrioritySet held = end.holds(now) ? end.held_without_credit() : PrioritySet{0};
        const auto blocked = static_cast<PrioritySet>(lacking | (held & backlog));
        withheld_.store(lacking | held, std::memory_order_relaxed);
        state_.store(end.state(now), std::memory_order_relaxed);
        const PrioritySet of_peer = end.is_established() ? end.sender().terms().lossless : 0;
        lossless_at_peer_.store(of_peer, std::memory_order_relaxed);
        lost_updates_.set(end.lost_updates());
        refusals_.set(end.refusals());
        gave_up_.store(end.gave_up(), std::memory_order_relaxed);
        const CreditCounts& advertised = end.receiver().advertised();
        const PrioritySet own = end.receiver().terms().lossless;
        for_each_priority(own | of_peer, [&](Priority priority) {
            Channel& channel = channels_[priority];
            channel.limit.set(end.sender().limits()[priority]);
            channel.consumed.set(end.sender().consumed()[priority]);
            channel.advertised.set(advertised[priority]);
            channel.occupied.set(static_cast<uint64_t>(end.receiver().occupied(priority).count()));
        });
        for_each_priority(blocked & blocked_, [&](Priority priority) {
            assert(now >= looked_at_);
            channels_[priority].blocked.add(static_cast<uint64_t>((now - looked_at_).count()));
        });
        blocked_ = blocked;
        looked_at_ = now;
    }
    // Shows that the port does not use credit.
    void turn_off() {
        blocked_ = 0;
        gave_up_.store(false, std::memory_order_relaxed);
        state_.store(CreditState::no_link, std::memory_order_relaxed);
        withheld_.store(0, std::memory_order_relaxed);
    }
    void sent() { sent_.add(1); }
    void received(Bytes lost) {
        received_.add(1);
        if (lost > Bytes(0)) lost_octets_.add(static_cast<uint64_t>(lost.count()));
    }

    // --- any thread -----------------------------------------------------------------------------
    [[nodiscard]] CreditState state() const { return state_.load(std::memory_order_relaxed); }
    // Whether the end left a session because frames waited too long for credit.
    [[nodiscard]] bool gave_up() const { return gave_up_.load(std::memory_order_relaxed); }
    // Returns the priorities for which the peer requires credit; none before its first update.
    [[nodiscard]] PrioritySet lossless_at_peer() const {
        return lossless_at_peer_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] const Channel& channel(Priority priority) const { return channels_[priority]; }
    // Whether a frame of `priority` would wait for credit, or for a session to begin.
    [[nodiscard]] bool withholds(Priority priority) const {
        const PrioritySet bit = only_priority(priority);
        if ((withheld_.load(std::memory_order_relaxed) & bit) != 0) return true;
        const bool needs_credit = state() == CreditState::credit && (lossless_at_peer() & bit) != 0;
        const Channel& of = channel(priority);
        return needs_credit && ahead_of(of.limit.value(), of.consumed.value()) <= Bytes(0);
    }
    // Returns the total time for which frames of the priority have waited.
    [[nodiscard]] Nanos blocked(Priority priority) const {
        return Nanos(static_cast<int64_t>(channel(priority).blocked.value()));
    }
    [[nodiscard]] uint64_t updates_sent() const { return sent_.value(); }
    [[nodiscard]] uint64_t updates_received() const { return received_.value(); }
    [[nodiscard]] uint64_t updates_lost() const { return lost_updates_.value(); }
    // Returns how often a peer refused credit although LLDP reports that the peer uses credit
    // (credit_end.h).
    [[nodiscard]] uint64_t refusals() const { return refusals_.value(); }
    // Returns the octets of frames lost on the wire, whose credit was returned.
    [[nodiscard]] uint64_t lost_octets() const { return lost_octets_.value(); }

  private:
    std::atomic<CreditState> state_{CreditState::no_link};
    std::atomic<PrioritySet> lossless_at_peer_{0};
    std::atomic<PrioritySet> withheld_{0};
    std::atomic<bool> gave_up_{false};
    Counter sent_;
    Counter received_;
    Counter lost_updates_;
    Counter refusals_;
    Counter lost_octets_;
    std::array<Channel, max_priorities> channels_;
    PrioritySet blocked_ = 0;  // priorities that waited at the last `look`; used by the writer
    Nanos looked_at_;
};

// A port's end of a link with credit, its readable state, and the source address of its updates,
// which is set when the link comes up.
struct PortCredit {
    CreditEnd end;
    CreditWatch watch;
    MacAddress source;
};

}  // namespace sluice
