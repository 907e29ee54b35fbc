// oq: an output-queued switch. Every output sends its oldest cell, from any input, so an input may
// send several cells at once: no crossbar can do that, and no switch has less delay.
#include "tools/sim/fabric/algorithms.h"

namespace sluice::sim {

namespace {

class OutputQueued final : public Matcher {
  public:
    void match(const Voqs& voqs, const Arrivals&, Matching& matching) override {
        for (PortIndex output = 0; output < voqs.ports(); ++output) {
            const PortSet inputs = voqs.inputs_for(output);
            if (inputs == 0) continue;
            auto first = static_cast<PortIndex>(std::countr_zero(inputs));
            for_each_port(inputs, [&](PortIndex input) {
                if (voqs.oldest(input, output) < voqs.oldest(first, output)) first = input;
            });
            matching.pair(first, output);
        }
    }
};

}  // namespace

Made make_oq(const Tuning&) { return std::make_unique<OutputQueued>(); }

}  // namespace sluice::sim
