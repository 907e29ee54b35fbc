// Md1Queue: computes the exact distribution of the length of an infinite queue (M/D/1): Poisson
// arrivals of frames that all take the same time to send. The length includes the frame being sent;
// the load is below 1.
//
// Method: the Markov chain of the number of frames at departures, cut between n and n + 1. The flow
// over the cut is the same in both directions, so with A the arrivals while one frame is sent
//   q[n+1] x P(A = 0) = q[0] x P(A > n) + sum over k = 1..n of q[k] x P(A > n + 1 - k)
// All terms are positive, so no digits are lost by cancellation. The alternating series of Erlang
// and Crommelin loses all digits from some 40 frames on. The distribution at departures equals that
// at arrivals, which equals that at any time. Tails are summed from the far end.
// Bound: 128 terms a step, and steps until the rest of the tail is 1e-15 of `rarest`: below 40,000
// for a load of 0.999 and 1e-12.
// Not here: bursts, which make the queues of real sources longer.
// Follows Kleinrock, Queueing Systems, volume 1, chapter 5.
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::cli {

class Md1Queue {
  public:
    // `rarest`: the smallest probability for which results are needed.
    Md1Queue(double load, double rarest);

    // Returns P(more than `frames`).
    [[nodiscard]] double beyond(std::size_t frames) const;
    // Returns the fewest frames that are exceeded with at most `probability`.
    [[nodiscard]] int64_t quantile(double probability) const;

    // Returns the share of arrivals that find a queue of `room` frames full. The probabilities of a
    // finite queue's lengths have the same proportions as in the infinite queue (Keilson 1966).
    [[nodiscard]] double loss(std::size_t room) const;
    // Returns the fewest frames of room that lose at most `share`.
    [[nodiscard]] int64_t room_for_loss(double share) const;

  private:
    double load_;
    std::vector<double> beyond_;
};

// Return, for frames that wait without the one being sent, the mean number (Pollaczek and
// Khinchine), and the mean wait in multiples of the time to send a frame.
constexpr double md1_mean_waiting(double load) { return load * load / (2 * (1 - load)); }
constexpr double md1_mean_wait(double load) { return load / (2 * (1 - load)); }

// Returns theta, the decay of the tail: beyond(n + 1) / beyond(n) converges to e^-theta, where
// load x (e^theta - 1) = theta.
double md1_decay(double load);

// Returns the approximation of quantile() in notes on switch fabrics: C e^(-theta n) with C = (1 -
// load) / (load + e^-theta). The pole of the generating function has a minus in place of the plus,
// which makes C some twenty times as large at 90 % load; so the approximation is too small for
// loads above a half.
double md1_quoted_quantile(double load, double probability);

// Returns the quantile of a queue with exponentially distributed frame lengths (M/M/1), for
// comparison. The length of that queue is geometric: P(more than n) = load^(n + 1).
int64_t mm1_quantile(double load, double probability);
// Returns the fewest frames of room of an M/M/1 queue, including the one being sent, that lose at
// most `share`.
int64_t mm1_room_for_loss(double load, double share);
constexpr double mm1_mean_wait(double load) { return load / (1 - load); }

}  // namespace sluice::cli
