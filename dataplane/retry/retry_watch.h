// RetryWatch: what anybody may see of one end of a link with retry, as its worker saw it last.
// Written by the port's worker alone, once a poll.
// Bound: some twenty words a port. Not done here: names and JSON (control/show/retry.h).
#pragma once

#include <atomic>
#include <cstdint>

#include "dataplane/retry/retry_receiver.h"
#include "dataplane/retry/retry_sender.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

// What both ends of a port counted beside their state machines.
struct RetryTally {
    uint64_t unnumbered = 0;  // frames of its priorities that went while no session was open
    uint64_t given_up = 0;    // that went, and were not acknowledged when the session ended
    uint64_t abandoned = 0;   // that were acknowledged, and had not entered the switch at its end
    uint64_t malformed = 0;   // frames of retry that say nothing sensible
    uint64_t strays = 0;      // of another session, or of none
};

struct RetryWatch {
    void show(const RetrySender& sender, const RetryReceiver& receiver, const RetryTally& tally) {
        send_state.store(sender.state(), std::memory_order_relaxed);
        receive_state.store(receiver.state(), std::memory_order_relaxed);
        sent.set(sender.counts().sent);
        replayed.set(sender.counts().replayed);
        replays.set(sender.counts().replays);
        timeouts.set(sender.counts().timeouts);
        acknowledged.set(sender.counts().acknowledged);
        unexpected.set(sender.counts().unexpected);
        flushes.set(sender.counts().flushes);
        begins.set(sender.counts().inits);
        taken.set(receiver.counts().taken);
        kept.set(receiver.counts().kept);
        duplicates.set(receiver.counts().duplicates);
        missing.set(receiver.counts().missing);
        acks.set(receiver.counts().acks);
        nacks.set(receiver.counts().nacks);
        unnumbered.set(tally.unnumbered);
        given_up.set(tally.given_up);
        abandoned.set(tally.abandoned);
        malformed.set(tally.malformed);
        strays.set(tally.strays);
    }

    std::atomic<RetrySender::State> send_state{RetrySender::State::off};
    std::atomic<RetryReceiver::State> receive_state{RetryReceiver::State::off};
    std::atomic<RetryAction> without_number{RetryAction::best_effort};
    Counter sent;
    Counter replayed;
    Counter replays;
    Counter timeouts;
    Counter acknowledged;
    Counter unexpected;
    Counter flushes;
    Counter begins;
    Counter taken;
    Counter kept;
    Counter duplicates;
    Counter missing;
    Counter acks;
    Counter nacks;
    Counter unnumbered;
    Counter given_up;
    Counter abandoned;
    Counter malformed;
    Counter strays;
    Counter used;        // octets of the replay buffer
    Counter most_used;   // since watermarks were cleared
    Counter kept_bytes;  // of the resequence buffer
    Counter most_kept_bytes;
};

}  // namespace sluice
