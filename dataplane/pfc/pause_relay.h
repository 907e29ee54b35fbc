// PauseRelay: forwards the pauses that one port receives to the peer of another port, instead of
// obeying them. The two ports are the ends of a relay: for example a tunnel across a WAN, and the
// port that leads to the gateway (draft-he-rtgwg-wan-pfc-00 3.2).
//
// No pause frame is copied. A legal pause that one end receives is a reason for the other end's
// PauseSender (pause_sender.h) to pause its own peer, in addition to the reasons of that port
// itself. The other end writes its own frames at once: with its own address and pause time, with
// refreshes, and with an XON when the last reason is gone. Each reason keeps the pause up without
// the other, whichever frames are lost in between.
// A relayed pause lasts for its quanta at the speed of the port that received it. A newer pause
// replaces it, and a time of 0 ends it at once. Without either, for instance after the death of the
// peer, it ends when its time is over. A pause that was relayed for `longest` without a break is
// cut and counted: it is neither relayed nor obeyed until the peer has sent no pause of that
// priority for the same time. The relay refuses: a pause that passed `depth` relays already; one
// that begins when more than `limit` a second have begun, with all its refreshes; and every pause
// while the other end has no link to a peer, or its probe is no longer answered (`use`). A refused
// pause is obeyed where it was received (pause_gate.h). Once the reason for the refusal is gone,
// the pause is relayed, with the number of relays that it passed; the time until then does not
// count towards `longest`. An XON is never refused.
// Bound: a step for each priority in a pause frame; without a relay a pause frame costs the test of
// one word. Only its worker calls it; any thread may read counters and `cut`. Not done here: which
// frames are legal (pause_frame.h), and how many a second (pause_gate.h).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <utility>

#include "dataplane/pfc/frame_limit.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/relay_probe.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

class PauseRelay {
  public:
    // The most recent pause of a priority.
    struct Span {
        Nanos received_at{-1};
        Nanos until;
        uint8_t relays = 0;  // relays that the pause passed
    };

    // Applies the settings. `speed`: the speed of the port that receives the pauses.
    void configure(const PauseRelaySettings& relay, BitsPerSecond speed) {
        const PrioritySet before = taken();
        own_ = relay.priorities;
        works_ = works_ || relay.to == no_relay;
        longest_ = relay.longest;
        depth_ = relay.depth;
        limit_.configure(relay.limit, max_priorities);
        if (relay.probes != probes_) probe_.begin_anew();
        probes_ = relay.probes;
        speed_ = speed;
        forget(static_cast<PrioritySet>(~own_));
        set_cut(static_cast<PrioritySet>(cut() & own_));
        for_each_priority(asked_, [&](Priority priority) { note_depth(priority); });
        note_taken(before, Nanos(0));
        publish_priorities();
    }
    // Sets whether the relay works: `works` is true if the other end has link and its probe is
    // still answered. When the other end works again, pauses in force that began in the meantime
    // are relayed or refused like new pauses.
    void use(bool works, Nanos now) {
        expire(now);
        const PrioritySet before = taken();
        works_ = works;
        for_each_priority(asked_, [&](Priority priority) { judge(priority, now); });
        note_taken(before, now);
        publish_priorities();
    }
    [[nodiscard]] bool works() const { return works_; }

    // Returns the priorities that the relay is configured for.
    [[nodiscard]] PrioritySet own() const { return own_; }
    // Returns the priorities whose pauses the relay accepts now (any thread).
    [[nodiscard]] PrioritySet priorities() const {
        return priorities_.load(std::memory_order_relaxed);
    }

    // Receives a pause. `meant`: the relay's priorities in the pause. Returns the priorities that
    // the relay refuses.
    PrioritySet receive(const PauseFrame& pause, PrioritySet meant, Nanos now) {
        expire(now);
        const PrioritySet before = taken();
        PrioritySet held = 0;
        for_each_priority(meant, [&](Priority priority) {
            if (pause.time[priority] == 0) return end(priority, now);
            const Nanos time = pause_time(Quanta(pause.time[priority]), speed_);
            note_pause(priority, {now, now + time, pause.relays});
            held |= only_priority(priority);
        });
        note_taken(before, now);
        for_each_priority(held & taken(), [&](Priority priority) { pauses_[priority].add(1); });
        return static_cast<PrioritySet>(held & ~taken() & ~cut());
    }
    // Receives a pause that enables no class.
    void receive_probe(const PauseFrame& pause, Nanos now) {
        if (probes_) probe_.receive(pause.time, now);
    }
    // Corrects the pauses that were received at the time `then`: they count from `now`, the latest
    // time at which they may have arrived, as in pause_gate.h.
    void received_until(Nanos now, Nanos then) {
        for_each_priority(asked_, [&](Priority priority) {
            Span& last = last_[priority];
            if (last.received_at == then) last.until += now - then;
        });
    }

    // Returns the priorities for which the other end has to pause its peer.
    [[nodiscard]] PrioritySet to_pause(Nanos now) {
        if ((asked_ | cut()) == 0) return 0;
        expire(now);
        return static_cast<PrioritySet>(taken() & ~cut());
    }
    // Returns the highest number of relays that any pause of `priorities` passed, including this
    // relay.
    [[nodiscard]] uint8_t depth_of(PrioritySet priorities) const {
        uint8_t deepest = 0;
        for_each_priority(priorities, [&](Priority priority) {
            deepest = std::max(deepest, last_[priority].relays);
        });
        return static_cast<uint8_t>(deepest + 1);
    }
    // Returns the priorities that the peer pauses at `now` and that the relay accepts, cut or not.
    [[nodiscard]] PrioritySet asked(Nanos now) {
        if (asked_ != 0) expire(now);
        return taken();
    }
    // Returns the priorities whose pause had a break since the last call.
    PrioritySet take_breaks() { return std::exchange(breaks_, PrioritySet{0}); }

    // Returns the priorities whose pause was in force at the last receive or expiry and is not
    // refused.
    [[nodiscard]] PrioritySet taken() const {
        assert(((deep_ | admitted_ | over_limit_) & ~asked_) == 0);
        assert((admitted_ & over_limit_) == 0);
        return works_ ? static_cast<PrioritySet>(admitted_ & ~deep_) : PrioritySet{0};
    }
    [[nodiscard]] const Span& span(Priority priority) const { return last_[priority]; }
    // Begins to relay a pause in force, `span`, which the port obeyed until now: new settings gave
    // its priority to the relay.
    void go_on(Priority priority, const Span& span) {
        const PrioritySet bit = only_priority(priority);
        last_[priority] = span;
        asked_ |= bit;
        admitted_ |= bit;
        note_depth(priority);
        counts_from_[priority] = refused_at_[priority] = span.received_at;
    }

    // Returns the probe that measures the delay of a pause across the tunnel; null: not configured.
    RelayProbe* probe() { return probes_ ? &probe_ : nullptr; }
    [[nodiscard]] const RelayProbe& measured() const { return probe_; }
    void set_link(bool up) { probe_.set_link(up); }
    // Returns the priorities that are cut: the peer pauses them, and they are neither relayed nor
    // obeyed.
    [[nodiscard]] PrioritySet cut() const { return cut_.load(std::memory_order_relaxed); }
    // Return the number of XOFFs that were not refused, of received XONs, and of cuts.
    [[nodiscard]] uint64_t pauses(Priority priority) const { return pauses_[priority].value(); }
    [[nodiscard]] uint64_t resumes(Priority priority) const { return resumes_[priority].value(); }
    [[nodiscard]] uint64_t cuts(Priority priority) const { return cuts_[priority].value(); }
    // Return the number of XOFFs that had passed too many relays, and of those above the limit of
    // new pauses.
    [[nodiscard]] uint64_t too_deep(Priority priority) const { return too_deep_[priority].value(); }
    [[nodiscard]] uint64_t too_many(Priority priority) const { return too_many_[priority].value(); }

  private:
    void note_pause(Priority priority, const Span& span) {
        const PrioritySet bit = only_priority(priority);
        if ((asked_ & bit) == 0) {
            breaks_ |= bit;
            counts_from_[priority] = refused_at_[priority] = span.received_at;
        }
        last_[priority] = span;
        asked_ |= bit;
        note_depth(priority);
        if (works_ && (deep_ & bit) != 0) too_deep_[priority].add(1);
        judge(priority, span.received_at);
    }
    // Decides whether the limit admits a new pause. A refresh is not new, whether the pause that it
    // refreshes was refused or not.
    void judge(Priority priority, Nanos now) {
        const PrioritySet bit = only_priority(priority);
        if (!works_ || ((deep_ | admitted_ | over_limit_) & bit) != 0) return;
        if (limit_.takes(now)) {
            admitted_ |= bit;
        } else {
            over_limit_ |= bit;
            too_many_[priority].add(1);
        }
    }
    // Does not count towards `longest` the time in which a pause was not relayed.
    void note_taken(PrioritySet before, Nanos now) {
        const PrioritySet after = taken();
        const auto changed = static_cast<PrioritySet>(asked_ & (before ^ after));
        for_each_priority(changed, [&](Priority priority) {
            const Nanos at = std::max(now, last_[priority].received_at);
            if ((after & only_priority(priority)) == 0) {
                refused_at_[priority] = at;
            } else {
                counts_from_[priority] += at - refused_at_[priority];
            }
        });
    }
    void end(Priority priority, Nanos now) {
        const PrioritySet bit = only_priority(priority);
        if (works_) resumes_[priority].add(1);
        last_[priority].until = std::min(last_[priority].until, now);
        forget(bit);
        breaks_ |= bit;
    }
    void forget(PrioritySet priorities) {
        for (PrioritySet* of : {&asked_, &deep_, &admitted_, &over_limit_}) {
            *of = static_cast<PrioritySet>(*of & ~priorities);
        }
    }
    void note_depth(Priority priority) {
        const PrioritySet bit = only_priority(priority);
        const bool is_too_deep = last_[priority].relays >= depth_;
        deep_ = static_cast<PrioritySet>(is_too_deep ? deep_ | bit : deep_ & ~bit);
    }
    void publish_priorities() {
        priorities_.store(works_ ? own_ : PrioritySet{0}, std::memory_order_relaxed);
    }
    void set_cut(PrioritySet priorities) { cut_.store(priorities, std::memory_order_relaxed); }
    // Ends pauses that are over, and cuts pauses that were relayed for too long.
    void expire(Nanos now) {
        PrioritySet cut = this->cut();
        for_each_priority(static_cast<PrioritySet>(asked_ | cut), [&](Priority priority) {
            const PrioritySet bit = only_priority(priority);
            const Span& last = last_[priority];
            if (now >= last.until) forget(bit);
            if ((cut & bit) == 0) {
                if ((taken() & bit) == 0 || now - counts_from_[priority] < longest_) return;
                cut |= bit;
                cuts_[priority].add(1);
            } else if ((asked_ & bit) == 0 && now - last.until >= longest_) {
                cut = static_cast<PrioritySet>(cut & ~bit);
            }
        });
        set_cut(cut);
    }

    PrioritySet own_ = 0;
    bool works_ = true;
    std::atomic<PrioritySet> priorities_{0};
    PrioritySet asked_ = 0;       // priorities that the peer pauses, refused or not
    PrioritySet deep_ = 0;        // among `asked_`: passed too many relays
    PrioritySet admitted_ = 0;    // among `asked_`: admitted by the limit
    PrioritySet over_limit_ = 0;  // among `asked_`: not admitted by the limit
    PrioritySet breaks_ = 0;
    uint8_t depth_ = 0;
    FrameLimit limit_;
    std::atomic<PrioritySet> cut_{0};
    Nanos longest_;
    bool probes_ = false;
    RelayProbe probe_;
    BitsPerSecond speed_{1};
    std::array<Span, max_priorities> last_;
    // Time from which `longest` counts, without a break.
    std::array<Nanos, max_priorities> counts_from_;
    std::array<Nanos, max_priorities> refused_at_;  // for a refused pause: time of the refusal
    std::array<Counter, max_priorities> pauses_;
    std::array<Counter, max_priorities> resumes_;
    std::array<Counter, max_priorities> cuts_;
    std::array<Counter, max_priorities> too_deep_;
    std::array<Counter, max_priorities> too_many_;
};

}  // namespace sluice
