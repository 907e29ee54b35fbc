// Matcher: decides in each slot which input sends to which output.
//
// Its input is the queues with their lengths and ages, and the arrivals of the slot; it pairs only
// ports with waiting cells. A crossbar's matching gives each input at most one output; only that of
// `oq` may give several, since an output-queued switch has no such limit.
// To add an algorithm: a file, a declaration and a row in algorithms.
#pragma once

#include <array>

#include "tools/sim/fabric/voqs.h"

namespace sluice::sim {

struct Matching {
    PortSet outputs = 0;                          // matched
    std::array<PortIndex, max_ports> input_of{};  // each of `outputs`
    unsigned iterations = 0;                      // that added a pair, if it iterates

    void pair(PortIndex input, PortIndex output) {
        outputs |= only(output);
        input_of[output] = input;
    }
};

class Matcher {
  public:
    virtual ~Matcher() = default;
    // `matching` is empty.
    virtual void match(const Voqs& voqs, const Arrivals& arrivals, Matching& matching) = 0;
};

}  // namespace sluice::sim
