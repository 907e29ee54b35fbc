// sw_qps: Meng, Gong and Xu, "Sliding-Window QPS (SW-QPS): A Perfect Parallel Iterative Switching
// Algorithm for Input-Queued Switches", arXiv 2010.08620, 2020.
//
// The matchings of the next `window` slots are built at the same time. In each slot every input
// proposes to one output, drawn in proportion to its queues; every output serves its proposals, the
// longest queue first, and gives each the earliest slot of the window in which both are free. The
// first matching of the window is then used. Cells that already have a slot do not count as queued.
// Bound: ports x ports additions to draw; an output accepts any number of proposals.
#include <algorithm>

#include "tools/sim/fabric/algorithms.h"
#include "tools/sim/fabric/chance.h"

namespace sluice::sim {

namespace {

class SwQps final : public Matcher {
  public:
    explicit SwQps(const Tuning& tuning)
        : slots_(first_ports(tuning.window)),
          window_(tuning.window),
          random_(tuning.seed),
          scheduled_(tuning.window) {}
    void match(const Voqs& voqs, const Arrivals&, Matching& matching) override {
        propose(voqs);
        for (PortIndex output = 0; output < voqs.ports(); ++output) accept(output);
        first_is_done(matching);
    }

  private:
    using SlotSet = uint64_t;  // bit n is set for the slot n slots from now
    struct Proposal {
        uint32_t length;
        PortIndex input;
    };

    void propose(const Voqs& voqs) {
        for (ReceivedProposals& received : proposals_) received.count = 0;
        for (PortIndex input = 0; input < voqs.ports(); ++input) {
            uint32_t total = 0;
            for_each_port(voqs.outputs_of(input), [&](PortIndex output) {
                total += voqs.length(input, output) - given_[input][output];
            });
            if (total == 0) continue;
            uint32_t left = below(random_, total);
            for (PortSet outputs = voqs.outputs_of(input);; outputs &= outputs - 1) {
                const auto output = static_cast<PortIndex>(std::countr_zero(outputs));
                const uint32_t length = voqs.length(input, output) - given_[input][output];
                if (left < length) {
                    ReceivedProposals& received = proposals_[output];
                    received.from[received.count++] = {length, input};
                    break;
                }
                left -= length;
            }
        }
    }

    void accept(PortIndex output) {
        ReceivedProposals& received = proposals_[output];
        const auto end = received.from.begin() + received.count;
        std::sort(received.from.begin(), end, [](const Proposal& one, const Proposal& other) {
            return one.length != other.length ? one.length > other.length : one.input < other.input;
        });
        for (auto proposal = received.from.begin(); proposal != end; ++proposal) {
            const PortIndex input = proposal->input;
            const SlotSet both_free = slots_ & ~input_taken_[input] & ~output_taken_[output];
            if (both_free == 0) continue;
            const auto slot = static_cast<unsigned>(std::countr_zero(both_free));
            input_taken_[input] |= SlotSet{1} << slot;
            output_taken_[output] |= SlotSet{1} << slot;
            scheduled_[(first_ + slot) % window_].pair(input, output);
            ++given_[input][output];
        }
    }

    void first_is_done(Matching& matching) {
        matching = scheduled_[first_];
        scheduled_[first_] = {};
        first_ = (first_ + 1) % window_;
        for_each_port(matching.outputs,
                      [&](PortIndex output) { --given_[matching.input_of[output]][output]; });
        for (SlotSet& taken : input_taken_) taken >>= 1;
        for (SlotSet& taken : output_taken_) taken >>= 1;
    }

    struct ReceivedProposals {
        unsigned count = 0;
        std::array<Proposal, max_ports> from;
    };

    SlotSet slots_;
    unsigned window_;
    Random random_;
    std::vector<Matching> scheduled_;  // ring of the window's matchings
    unsigned first_ = 0;               // index of the next matching in the ring
    std::array<SlotSet, max_ports> input_taken_{};
    std::array<SlotSet, max_ports> output_taken_{};
    // Cells that have a slot, by input and output.
    std::array<std::array<uint32_t, max_ports>, max_ports> given_{};
    std::array<ReceivedProposals, max_ports> proposals_;
};

}  // namespace

Made make_sw_qps(const Tuning& tuning) { return std::make_unique<SwQps>(tuning); }

}  // namespace sluice::sim
