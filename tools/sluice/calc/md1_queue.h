// Md1Queue: Poisson arrivals of frames that all take the same time to send, in an endless queue:
// how many are there, exactly. Counts the frame that is being sent; a load is below 1.
//
// Method: the chain that a departing frame leaves behind, cut between n and n + 1. What goes up
// over the cut goes down again, so with A the arrivals while one frame is sent
//   q[n+1] x P(A = 0) = q[0] x P(A > n) + sum over k = 1..n of q[k] x P(A > n + 1 - k)
// All terms are positive, so nothing cancels, where the alternating series of Erlang and Crommelin
// loses every digit from some 40 frames on. Departing frames leave behind as many as arriving ones
// find, and those see what any moment does. Tails are summed from the far end.
// Bound: 128 terms a step, and steps until all that is left is 1e-15 of `rarest`: below 40,000 for
// a load of 0.999 and 1e-12.
// Does not know bursts: what real sources send queues longer.
// Follows Kleinrock, Queueing Systems, volume 1, chapter 5.
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::cli {

class Md1Queue {
  public:
    // `rarest` is the smallest probability that will be asked for.
    Md1Queue(double load, double rarest);

    // P(more than `frames`).
    [[nodiscard]] double beyond(std::size_t frames) const;
    // The fewest frames that are exceeded with at most `probability`.
    [[nodiscard]] int64_t quantile(double probability) const;

    // The share of arrivals that find a queue with room for so many full. A finite queue goes
    // through the same states in the same proportions (Keilson 1966).
    [[nodiscard]] double loss(std::size_t room) const;
    // The fewest frames of room that lose at most `share`.
    [[nodiscard]] int64_t room_for_loss(double share) const;

  private:
    double load_;
    std::vector<double> beyond_;
};

// Frames that wait, without the one being sent: their mean number (Pollaczek and Khinchine), and
// their wait in multiples of the time to send a frame.
constexpr double md1_mean_waiting(double load) { return load * load / (2 * (1 - load)); }
constexpr double md1_mean_wait(double load) { return load / (2 * (1 - load)); }

// The decay of the tail: beyond(n + 1) / beyond(n) goes to e^-theta, where
// load x (e^theta - 1) = theta.
double md1_decay(double load);

// The approximation of quantile() in notes on switch fabrics: C e^(-theta n) with C = (1 - load) /
// (load + e^-theta). The pole of the generating function has a minus there, which makes C some
// twenty times as large at 90 % load; so from half a load on the approximation is too small.
double md1_quoted_quantile(double load, double probability);

// The same for frames of exponentially distributed lengths with that mean (M/M/1), for comparison
// with equal lengths. A queue is geometric: P(more than n) = load^(n + 1).
int64_t mm1_quantile(double load, double probability);
// The fewest frames of room, the one being sent counted, that lose at most `share`.
int64_t mm1_room_for_loss(double load, double share);
constexpr double mm1_mean_wait(double load) { return load / (1 - load); }

}  // namespace sluice::cli
