// serena: Giaccone, Prabhakar and Shah, "Randomized Scheduling Algorithms for High-Aggregate
// Bandwidth Switches", IEEE Journal on Selected Areas in Communications 21(4), 2003.
//
// This slot's arrivals are made a matching (of several for one output, the one with the longest
// queue stays), completed at random, and merged with the last slot's: their union is cycles, and of
// each cycle the half of greater weight stays, by queue length. Both are complete, with pairs for
// which no cell waits; those are kept for the next slot but not matched.
// Bound: a few steps for each port.
#include "tools/sim/fabric/algorithms.h"
#include "tools/sim/fabric/chance.h"

namespace sluice::sim {

namespace {

class Serena final : public Matcher {
  public:
    explicit Serena(const Tuning& tuning) : draws_(tuning.seed) {
        for (PortIndex port = 0; port < max_ports; ++port) last_[port] = port;
    }
    void match(const Voqs& voqs, const Arrivals& arrivals, Matching& matching) override {
        merge(voqs, complete(voqs, arrivals));
        for (PortIndex output = 0; output < voqs.ports(); ++output) {
            if (voqs.length(last_[output], output) > 0) matching.pair(last_[output], output);
        }
    }

  private:
    using Inputs = std::array<PortIndex, max_ports>;  // of each output

    Inputs complete(const Voqs& voqs, const Arrivals& arrivals) {
        Inputs input_of{};
        PortSet taken = 0;
        for_each_port(arrivals.inputs, [&](PortIndex input) {
            const PortIndex output = arrivals.output[input];
            if ((taken & only(output)) == 0 ||
                voqs.length(input, output) > voqs.length(input_of[output], output)) {
                input_of[output] = input;
                taken |= only(output);
            }
        });
        PortSet free = first_ports(voqs.ports());
        for_each_port(taken, [&](PortIndex output) { free &= ~only(input_of[output]); });
        for_each_port(first_ports(voqs.ports()) & ~taken, [&](PortIndex output) {
            input_of[output] = any_of(draws_, free);
            free &= ~only(input_of[output]);
        });
        return input_of;
    }

    // Leaves the better of `now` and the last matching in `last_`, cycle by cycle.
    void merge(const Voqs& voqs, const Inputs& now) {
        Inputs output_of{};  // in the last matching, of each input
        for (PortIndex output = 0; output < voqs.ports(); ++output) {
            output_of[last_[output]] = output;
        }
        for (PortSet left = first_ports(voqs.ports()); left != 0;) {
            const auto start = static_cast<PortIndex>(std::countr_zero(left));
            PortSet cycle = 0;  // outputs
            int64_t gain = 0;   // of `now` over the last
            for (PortIndex output = start; (cycle & only(output)) == 0;
                 output = output_of[now[output]]) {
                cycle |= only(output);
                gain += int64_t{voqs.length(now[output], output)} -
                        int64_t{voqs.length(last_[output], output)};
            }
            if (gain > 0) {
                for_each_port(cycle, [&](PortIndex output) { last_[output] = now[output]; });
            }
            left &= ~cycle;
        }
    }

    Draws draws_;
    Inputs last_{};
};

}  // namespace

Made make_serena(const Tuning& tuning) { return std::make_unique<Serena>(tuning); }

}  // namespace sluice::sim
