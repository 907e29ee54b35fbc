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
// What one peer asked for `longest` without a break is cut and counted; it is relayed again once
// that peer has asked for nothing for as long.
// A pause that came through `depth` relays already is not relayed once more, nor one that begins
// when more than `limit` a second do: both are counted and obeyed where they were heard (the gate
// does that, pause_gate.h), as all are while the other end has nobody to tell. What ends a pause is
// never refused.
// Bound: a step a priority named in a pause frame; where there is no relay a pause frame costs the
// test of a word. Its worker alone touches it; counters and `cut` may be read.
// Not done here: which frames are legal (pause_frame.h), and how many a second (pause_gate.h).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "dataplane/counters.h"
#include "dataplane/limits.h"
#include "dataplane/pfc/frame_limit.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/relay_probe.h"
#include "dataplane/settings.h"
#include "dataplane/units.h"

namespace sluice {

class PauseRelay {
  public:
    // `speed` of the port that hears.
    void configure(const PauseRelaySettings& relay, BitsPerSecond speed) {
        priorities_.store(relay.priorities, std::memory_order_relaxed);
        longest_ = relay.longest;
        depth_ = relay.depth;
        limit_.configure(relay.limit, max_priorities);
        if (relay.probes != probes_) probe_.begin_anew();
        probes_ = relay.probes;
        speed_ = speed;
        asked_ &= relay.priorities;
        set_cut(static_cast<PrioritySet>(cut() & relay.priorities));
    }

    // Those that it relays now (any thread).
    [[nodiscard]] PrioritySet priorities() const {
        return priorities_.load(std::memory_order_relaxed);
    }

    // Of `meant`, which are some of its priorities; returns those that it does not relay.
    PrioritySet hear(const PauseFrame& pause, PrioritySet meant, Nanos now) {
        expire(now);
        const PrioritySet refused = refuse(pause, meant, now);
        asked_ = static_cast<PrioritySet>(asked_ & ~refused);
        for_each_priority(static_cast<PrioritySet>(meant & ~refused), [&](Priority priority) {
            const PrioritySet bit = only_priority(priority);
            Last& last = last_[priority];
            if (pause.time[priority] == 0) {
                resumes_[priority].add(1);
                last.until = std::min(last.until, now);
                asked_ = static_cast<PrioritySet>(asked_ & ~bit);
                breaks_ |= bit;
                return;
            }
            pauses_[priority].add(1);
            if ((asked_ & bit) == 0) {
                last.began = now;
                breaks_ |= bit;
            }
            asked_ |= bit;
            last.heard_at = now;
            last.until = now + pause_time(Quanta(pause.time[priority]), speed_);
            last.relays = pause.relays;
        });
        return refused;
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
    // Through how many relays the deepest of these came by then, this one counted.
    [[nodiscard]] uint8_t depth_of(PrioritySet priorities) const {
        uint8_t deepest = 0;
        for_each_priority(priorities, [&](Priority priority) {
            deepest = std::max(deepest, last_[priority].relays);
        });
        return static_cast<uint8_t>(deepest + 1);
    }
    // What the peer asks for at `now`, cut or not.
    [[nodiscard]] PrioritySet asked(Nanos now) {
        if (asked_ != 0) expire(now);
        return asked_;
    }
    // Where it asked for nothing for a while since the last call.
    PrioritySet take_breaks() { return std::exchange(breaks_, PrioritySet{0}); }

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
    void set_link(bool up) { probe_.set_link(up); }
    // These are cut: asked for, and not relayed.
    [[nodiscard]] PrioritySet cut() const { return cut_.load(std::memory_order_relaxed); }
    // XOFFs and XONs that were heard, and how often one was cut.
    [[nodiscard]] uint64_t pauses(Priority priority) const { return pauses_[priority].value(); }
    [[nodiscard]] uint64_t resumes(Priority priority) const { return resumes_[priority].value(); }
    [[nodiscard]] uint64_t cuts(Priority priority) const { return cuts_[priority].value(); }
    // XOFFs that were not relayed: they had come through too many relays, or began too soon.
    [[nodiscard]] uint64_t too_deep(Priority priority) const { return too_deep_[priority].value(); }
    [[nodiscard]] uint64_t too_many(Priority priority) const { return too_many_[priority].value(); }

  private:
    // The last pause of a priority.
    struct Last {
        Nanos began;  // it, and those before without a break
        Nanos heard_at{-1};
        Nanos until;
        uint8_t relays = 0;  // that it came through
    };

    // A refresh is no beginning.
    PrioritySet refuse(const PauseFrame& pause, PrioritySet meant, Nanos now) {
        PrioritySet refused = 0;
        for_each_priority(meant, [&](Priority priority) {
            const PrioritySet bit = only_priority(priority);
            if (pause.time[priority] == 0) return;
            if (pause.relays >= depth_) {
                too_deep_[priority].add(1);
                refused |= bit;
            } else if ((asked_ & bit) == 0 && !limit_.takes(now)) {
                too_many_[priority].add(1);
                refused |= bit;
            }
        });
        return refused;
    }
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

    std::atomic<PrioritySet> priorities_{0};
    PrioritySet asked_ = 0;
    PrioritySet breaks_ = 0;
    uint8_t depth_ = 0;
    FrameLimit limit_;
    std::atomic<PrioritySet> cut_{0};
    Nanos longest_;
    bool probes_ = false;
    RelayProbe probe_;
    BitsPerSecond speed_{1};
    std::array<Last, max_priorities> last_;
    std::array<Counter, max_priorities> pauses_;
    std::array<Counter, max_priorities> resumes_;
    std::array<Counter, max_priorities> cuts_;
    std::array<Counter, max_priorities> too_deep_;
    std::array<Counter, max_priorities> too_many_;
};

}  // namespace sluice
