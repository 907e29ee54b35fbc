// PauseRelay: what the peer of one port pauses that is not obeyed there, but told to the peer of
// another port: the two are the ends of a relay, as a tunnel across a WAN and the port to its
// gateway are (draft-he-rtgwg-wan-pfc-00 3.2).
//
// No frame is copied. What is legal and heard at one end is a reason for the Xoff (xoff.h) of the
// other to hold its peer, beside its own. The frames there are written anew, at once: from that
// port's address, for as long as that port asks for, refreshed, and an XON once neither reason is
// left. So what is relayed ends no pause that the port has reasons of its own for, nor the other
// way round, whichever frames are lost between.
// A priority is held for its quanta at the speed of the port that heard it; a new pause replaces
// the old, a time of 0 ends it at once, and it ends by itself, though the peer is gone.
// What one peer asked for `longest` without a break is cut and counted, as the watchdog does
// about a queue, of which there is none here; it is relayed again once that peer has asked for
// nothing for as long.
// Bound: a step a priority named in a pause frame; where there is no relay a pause frame costs the
// test of a word. Its worker alone touches it; counters and `cut` may be read.
// Not done here: which frames are legal (pause_frame.h), and how many a second (pause_gate.h).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "dataplane/counters.h"
#include "dataplane/limits.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/relay_probe.h"
#include "dataplane/settings.h"
#include "dataplane/units.h"

namespace sluice {

class PauseRelay {
  public:
    // `speed` of the port that hears.
    void configure(const PauseRelaySettings& relay, BitsPerSecond speed) {
        priorities_ = relay.priorities;
        longest_ = relay.longest;
        if (relay.probes != probes_) probe_.begin_anew();
        probes_ = relay.probes;
        speed_ = speed;
        asked_ &= priorities_;
        set_cut(static_cast<PrioritySet>(cut() & priorities_));
    }

    [[nodiscard]] PrioritySet priorities() const { return priorities_; }

    // Of `meant`, which are some of its priorities.
    void hear(const PauseFrame& pause, PrioritySet meant, Nanos now) {
        expire(now);
        for_each_priority(meant, [&](Priority priority) {
            const PrioritySet bit = only_priority(priority);
            Last& last = last_[priority];
            if (pause.time[priority] == 0) {
                resumes_[priority].add(1);
                last.until = std::min(last.until, now);
                asked_ = static_cast<PrioritySet>(asked_ & ~bit);
                return;
            }
            pauses_[priority].add(1);
            if ((asked_ & bit) == 0) last.began = now;
            asked_ |= bit;
            last.heard_at = now;
            last.until = now + pause_time(Quanta(pause.time[priority]), speed_);
        });
    }
    // Of a pause that names no class.
    void hear_probe(const PauseFrame& pause, Nanos now) {
        if (probes_) probe_.hear(pause.time, now);
    }
    // What was heard at `then` may have come until `now`, and nothing was asked in between.
    void heard_until(Nanos now, Nanos then) {
        for_each_priority(asked_, [&](Priority priority) {
            Last& last = last_[priority];
            if (last.heard_at == then) last.until += now - then;
        });
    }

    // In these the peer of the other end is to be held.
    [[nodiscard]] PrioritySet held(Nanos now) {
        if ((asked_ | cut()) == 0) return 0;
        expire(now);
        return static_cast<PrioritySet>(asked_ & ~cut());
    }

    // When a priority was last asked for, and until when that holds.
    struct Span {
        Nanos began;
        Nanos until;
    };
    // What the peer asks for, by what was heard so far.
    [[nodiscard]] PrioritySet asked() const { return asked_; }
    [[nodiscard]] Span span(Priority priority) const {
        return {last_[priority].heard_at, last_[priority].until};
    }
    // Of a priority that it has from now on: its pause was obeyed here.
    void go_on(Priority priority, Span span) {
        last_[priority] = {.began = span.began, .heard_at = span.began, .until = span.until};
        asked_ |= only_priority(priority);
    }

    // How long what is relayed takes to the other end of the link; null: nobody asks.
    RelayProbe* probe() { return probes_ ? &probe_ : nullptr; }
    [[nodiscard]] const RelayProbe& measured() const { return probe_; }
    // These are cut: asked for, and not relayed.
    [[nodiscard]] PrioritySet cut() const { return cut_.load(std::memory_order_relaxed); }
    // XOFFs and XONs that were heard, and how often one was cut.
    [[nodiscard]] uint64_t pauses(Priority priority) const { return pauses_[priority].value(); }
    [[nodiscard]] uint64_t resumes(Priority priority) const { return resumes_[priority].value(); }
    [[nodiscard]] uint64_t cuts(Priority priority) const { return cuts_[priority].value(); }

  private:
    // The last pause of a priority.
    struct Last {
        Nanos began;  // it, and those before without a break
        Nanos heard_at{-1};
        Nanos until;
    };

    void set_cut(PrioritySet priorities) { cut_.store(priorities, std::memory_order_relaxed); }
    // Ends what is over, and what lasts for too long.
    void expire(Nanos now) {
        PrioritySet cut = this->cut();
        for_each_priority(static_cast<PrioritySet>(asked_ | cut), [&](Priority priority) {
            const PrioritySet bit = only_priority(priority);
            const Last& last = last_[priority];
            if (now >= last.until) asked_ = static_cast<PrioritySet>(asked_ & ~bit);
            const bool asks = (asked_ & bit) != 0;
            if ((cut & bit) == 0) {
                if (!asks || now - last.began < longest_) return;
                cut |= bit;
                cuts_[priority].add(1);
            } else if (!asks && now - last.until >= longest_) {
                cut = static_cast<PrioritySet>(cut & ~bit);
            }
        });
        set_cut(cut);
    }

    PrioritySet priorities_ = 0;
    PrioritySet asked_ = 0;
    std::atomic<PrioritySet> cut_{0};
    Nanos longest_;
    bool probes_ = false;
    RelayProbe probe_;
    BitsPerSecond speed_{1};
    std::array<Last, max_priorities> last_;
    std::array<Counter, max_priorities> pauses_;
    std::array<Counter, max_priorities> resumes_;
    std::array<Counter, max_priorities> cuts_;
};

}  // namespace sluice
