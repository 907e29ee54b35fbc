// RetryWatch: the states and counters of one end of a link with retry, for readers in any thread.
// The port's worker writes them, once a poll.
// Bound: some twenty words a port. Not here: names and JSON (control/show/retry.h).
#pragma once

#include <atomic>
#include <cstdint>

#include "dataplane/retry/retry_receiver.h"
#include "dataplane/retry/retry_sender.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

// The counters of a port's retry that are not those of the sender or of the receiver.
struct RetryTally {
    uint64_t unnumbered = 0;  // frames of retry's priorities that were sent without a number
    uint64_t given_up = 0;    // frames sent, but not acknowledged when their session ended
    uint64_t abandoned = 0;   // frames acknowledged, but not in the switch when the end was retired
    uint64_t malformed = 0;   // retry frames that could not be parsed
    uint64_t strays = 0;      // retry frames of another session, or received without a session
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
    Counter most_used;   // watermark of `used`
    Counter kept_bytes;  // octets of the resequence buffer
    Counter most_kept_bytes;
};

}  // namespace sluice
