// Islip: prioritised iSLIP (McKeown, "The iSLIP Scheduling Algorithm for Input-Queued Switches",
// IEEE/ACM Transactions on Networking 7(2), 1999, sections 3 and 6).
//
// In each iteration every free output grants, among the requests of the highest priority present,
// the input next in its pointer's order; every free input accepts, among the grants of the highest
// priority, the output next in its order. Pointers are kept per priority. A pointer moves one
// beyond the match only in the first iteration and only if the grant was accepted: this
// desynchronises the pointers, gives 100 % throughput on uniform traffic, and bounds waiting.
// Bound: iterations x 2 x ports steps of a few instructions. A request that stays, of the highest
// priority at its input and output, is served within ports^2 slots.
#pragma once

#include <array>

#include "dataplane/fabric/matching.h"

namespace sluice {

class Islip final : public Matcher {
  public:
    explicit Islip(unsigned iterations) : iterations_(iterations) {}
    void set_iterations(unsigned iterations) override { iterations_ = iterations; }
    void match(const Requests& requests, Matching& matching) override;

  private:
    // Indexed [port][priority]: one cache line serves eight ports.
    using Pointers = std::array<std::array<PortIndex, max_priorities>, max_ports>;

    unsigned iterations_;
    Pointers grant_{};   // for each output, the input that is first in order
    Pointers accept_{};  // for each input, the output that is first in order
};

}  // namespace sluice
