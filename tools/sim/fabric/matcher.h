// Matcher: decides in each slot which input sends to which output.
//
// It uses the lengths and ages of the queues, and the arrivals of the slot, and pairs only ports
// with waiting cells. A crossbar's matching gives each input at most one output; only `oq` may give
// several, since an output-queued switch has no such limit.
// To add an algorithm: add a file, a declaration and a row in algorithms.
#pragma once

#include <array>

#include "tools/sim/fabric/voqs.h"

namespace sluice::sim {

struct Matching {
    PortSet outputs = 0;                          // matched outputs
    std::array<PortIndex, max_ports> input_of{};  // by output, for each of `outputs`
    unsigned iterations = 0;  // iterations that added a pair; 0 if the algorithm does not iterate

    void pair(PortIndex input, PortIndex output) {
        outputs |= only(output);
        input_of[output] = input;
    }
};

class Matcher {
  public:
    virtual ~Matcher() = default;
    // `matching` must be empty.
    virtual void match(const Voqs& voqs, const Arrivals& arrivals, Matching& matching) = 0;
};

}  // namespace sluice::sim
