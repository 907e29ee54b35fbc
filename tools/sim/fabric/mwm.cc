// mwm: maximum weight matching by queue length, which is stable under every admissible independent
// traffic (McKeown, Mekkittikul, Anantharam and Walrand, IEEE Transactions on Communications 47(8),
// 1999). The reference for practical algorithms.
//
// Kuhn's Hungarian method with potentials: each input in turn is added along the cheapest path to a
// free output; the cost of an edge is minus the queue's length.
// Bound: ports^3 steps.
#include <limits>

#include "tools/sim/fabric/algorithms.h"

namespace sluice::sim {

namespace {

class Mwm final : public Matcher {
  public:
    void match(const Voqs& voqs, const Arrivals&, Matching& matching) override {
        input_price_.fill(0);
        output_price_.fill(0);
        owner_.fill(nobody);
        for (PortIndex input = 0; input < voqs.ports(); ++input) enter(voqs, input);
        for (PortIndex output = 0; output < voqs.ports(); ++output) {
            const PortIndex input = owner_[output];
            if (voqs.length(input, output) > 0) matching.pair(input, output);
        }
    }

  private:
    using Cost = int64_t;
    static constexpr PortIndex nobody = max_ports;

    void enter(const Voqs& voqs, PortIndex newcomer) {
        std::array<Cost, max_ports> distance;  // by output: cost of the path, less prices
        distance.fill(std::numeric_limits<Cost>::max());
        std::array<PortIndex, max_ports> before;  // by output: the preceding output on the path
        before.fill(nobody);
        PortSet reached = 0;  // outputs whose distance is final
        Cost walked = 0;
        PortIndex at = nobody;  // output that was reached last; nobody at first
        PortIndex input = newcomer;
        while (true) {
            PortIndex nearest = nobody;
            for_each_port(first_ports(voqs.ports()) & ~reached, [&](PortIndex output) {
                const Cost reduced =
                    -Cost{voqs.length(input, output)} - input_price_[input] - output_price_[output];
                if (walked + reduced < distance[output]) {
                    distance[output] = walked + reduced;
                    before[output] = at;
                }
                if (nearest == nobody || distance[output] < distance[nearest]) nearest = output;
            });
            at = nearest;
            walked = distance[at];
            if (owner_[at] == nobody) break;
            reached |= only(at);
            input = owner_[at];
        }
        input_price_[newcomer] += walked;
        for_each_port(reached, [&](PortIndex output) {
            input_price_[owner_[output]] += walked - distance[output];
            output_price_[output] -= walked - distance[output];
        });
        for (; before[at] != nobody; at = before[at]) owner_[at] = owner_[before[at]];
        owner_[at] = newcomer;
    }

    std::array<Cost, max_ports> input_price_;
    std::array<Cost, max_ports> output_price_;
    std::array<PortIndex, max_ports> owner_;  // input that each output is matched to
};

}  // namespace

Made make_mwm(const Tuning&) { return std::make_unique<Mwm>(); }

}  // namespace sluice::sim
