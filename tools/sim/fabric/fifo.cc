// fifo: one FIFO an input, so that only its oldest cell may be sent: head-of-line blocking (Karol,
// Hluchyj and Morgan, "Input Versus Output Queueing on a Space-Division Packet Switch", IEEE
// Transactions on Communications 35(12), 1987). Among inputs that request one output the choice is
// random.
#include "tools/sim/fabric/algorithms.h"
#include "tools/sim/fabric/chance.h"

namespace sluice::sim {

namespace {

class Fifo final : public Matcher {
  public:
    explicit Fifo(const Tuning& tuning) : random_(tuning.seed) {}
    void match(const Voqs& voqs, const Arrivals&, Matching& matching) override {
        for (PortIndex input = 0; input < voqs.ports(); ++input) {
            if ((at_head_ & only(input)) == 0 && voqs.outputs_of(input) != 0) bring_up(voqs, input);
        }
        for (PortIndex output = 0; output < voqs.ports(); ++output) {
            if (asking_[output] == 0) continue;
            const PortIndex input = any_of(random_, asking_[output]);
            matching.pair(input, output);
            asking_[output] &= ~only(input);
            at_head_ &= ~only(input);
        }
    }

  private:
    // Finds the head of the input's FIFO: the oldest cell of its VOQs. At most one cell arrives at
    // an input in a slot, so no two cells are equally old.
    void bring_up(const Voqs& voqs, PortIndex input) {
        auto head = static_cast<PortIndex>(std::countr_zero(voqs.outputs_of(input)));
        for_each_port(voqs.outputs_of(input), [&](PortIndex output) {
            if (voqs.oldest(input, output) < voqs.oldest(input, head)) head = output;
        });
        at_head_ |= only(input);
        asking_[head] |= only(input);
    }

    Random random_;
    PortSet at_head_ = 0;                      // inputs whose head cell is in `asking_`
    std::array<PortSet, max_ports> asking_{};  // inputs, by the output of their head cell
};

}  // namespace

Made make_fifo(const Tuning& tuning) { return std::make_unique<Fifo>(tuning); }

}  // namespace sluice::sim
