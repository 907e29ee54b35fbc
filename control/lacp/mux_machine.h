// MuxMachine: decides whether a port collects and distributes frames of its aggregation
// (802.1AX-2014 6.4.15, independent control).
//
// A selected port waits 2 s, so that other ports of the same partner can join. Then the port
// reports that it is in sync. The port collects once the partner is in sync, and distributes once
// the partner collects. So no end sends to a port that does not collect yet.
// Bound: O(1).
// Deviation: `takes` is true as soon as the port reports that it is in sync, since a partner with
// coupled control may send as soon as it has received that report.
#pragma once

#include <cassert>
#include <cstdint>

#include "control/lacp/lacpdu.h"
#include "control/lacp/variables.h"
#include "dataplane/types/units.h"

namespace sluice::lacp {

class MuxMachine {
  public:
    enum class State : uint8_t {
        detached,
        waiting,
        attached,
        collecting,
        distributing,
        last = distributing
    };

    // Makes all transitions that are possible now. `ready`: every waiting port of the aggregation
    // has waited long enough.
    void advance(Variables& port, bool ready, Nanos now) {
        for (State before = step(port, ready, now); before != state_;) {
            before = step(port, ready, now);
        }
    }

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] bool takes() const { return state_ >= State::attached; }
    [[nodiscard]] bool sends() const { return state_ == State::distributing; }
    // Ready_N: a waiting port has waited long enough.
    [[nodiscard]] bool has_waited(Nanos now) const { return now >= wait_over_; }

  private:
    // Makes at most one transition; returns the state before it.
    State step(Variables& port, bool ready, Nanos now) {
        const State before = state_;
        const bool in_sync = port.selected && port.partner.has(state_bits::synchronization);
        const bool taken = in_sync && port.partner.has(state_bits::collecting);
        switch (state_) {
            case State::detached:
                if (port.selected) enter(port, State::waiting, now);
                break;
            case State::waiting:
                if (!port.selected) {
                    enter(port, State::detached, now);
                } else if (ready && has_waited(now)) {
                    enter(port, State::attached, now);
                }
                break;
            case State::attached:
                if (!port.selected) {
                    enter(port, State::detached, now);
                } else if (in_sync) {
                    enter(port, State::collecting, now);
                }
                break;
            case State::collecting:
                if (!in_sync) {
                    enter(port, State::attached, now);
                } else if (taken) {
                    enter(port, State::distributing, now);
                }
                break;
            case State::distributing:
                if (!taken) enter(port, State::collecting, now);
                break;
        }
        return before;
    }
    void enter(Variables& port, State state, Nanos now) {
        assert(follows(state) && "no state is skipped");
        state_ = state;
        if (state == State::waiting) {
            wait_over_ = now + aggregate_wait;
            return;
        }
        port.actor.set(state_bits::synchronization, state >= State::attached);
        port.actor.set(state_bits::collecting, state >= State::collecting);
        port.actor.set(state_bits::distributing, state == State::distributing);
        port.need_to_transmit = true;
    }

    // Whether the standard has a transition to `next`: the following state, the one before, or from
    // attached to detached.
    [[nodiscard]] bool follows(State next) const {
        const int steps = static_cast<int>(next) - static_cast<int>(state_);
        return steps == 1 || steps == -1 || (state_ == State::attached && next == State::detached);
    }

    State state_ = State::detached;
    Nanos wait_over_;  // wait_while_timer
};

}  // namespace sluice::lacp
