#include "dataplane/fabric/serena.h"

#include <cassert>

namespace sluice {

void Serena::Memory::pair(PortIndex input, PortIndex output) {
    assert(input < nobody && output < nobody);
    input_of[output_of[input]] = nobody;
    output_of[input_of[output]] = nobody;
    output_of[input] = output;
    input_of[output] = input;
}

// PriorityMatching: the matching of one priority in one slot.
class Serena::PriorityMatching {
  public:
    PriorityMatching(const Requests& requests, Priority priority, PortSet inputs, PortSet outputs,
                     Memory& last)
        : requests_(requests),
          priority_(priority),
          inputs_(inputs),
          outputs_(outputs),
          last_(last) {}

    // Returns the outputs that this matching has matched.
    PortSet match(PortIndex first, Matching& matching) {
        gather_candidates();
        merge();
        for_each_port(now_, [&](PortIndex output) { take(input_now_[output], output, matching); });
        for_each_port(outputs_ & ~taken_outputs_ & ~given_up_, [&](PortIndex output) {
            const PortIndex input = input_before(output);
            if (input != nobody) take(input, output, matching);
        });
        const PortSet after = ~PortSet{0} << first;
        fill(outputs_ & ~taken_outputs_ & after, first, matching);
        fill(outputs_ & ~taken_outputs_ & ~after, first, matching);
        return taken_outputs_;
    }

  private:
    [[nodiscard]] PortSet asking(PortIndex output) const {
        return requests_.rows[output][priority_] & inputs_;
    }
    [[nodiscard]] uint64_t backlog(PortIndex input, PortIndex output) const {
        return requests_.backlog.of(input, output, priority_);
    }
    // Returns the output's input in the last matching if that input still requests the output, else
    // `nobody`.
    [[nodiscard]] PortIndex input_before(PortIndex output) const {
        const PortIndex input = last_.input_of[output];
        return input != nobody && (asking(output) & only(input)) != 0 ? input : nobody;
    }
    [[nodiscard]] PortIndex output_before(PortIndex input) const {
        const PortIndex output = last_.output_of[input];
        if (output == nobody || (outputs_ & only(output)) == 0) return nobody;
        return (asking(output) & only(input)) != 0 ? output : nobody;
    }

    void gather_candidates() {
        const Arrivals& arrivals = requests_.arrivals;
        for (PortSet left = arrivals.inputs & inputs_; left != 0; left &= left - 1) {
            const PortIndex input = first_of(left);
            const PortIndex output = arrivals.output[input];
            if (arrivals.priority[input] != priority_ || (outputs_ & only(output)) == 0) continue;
            if ((asking(output) & only(input)) == 0) continue;
            const uint64_t length = backlog(input, output);
            if ((candidates_ & only(output)) != 0) {
                if (length <= length_now_[output]) continue;
                candidate_inputs_ &= ~only(input_now_[output]);
            }
            candidates_ |= only(output);
            candidate_inputs_ |= only(input);
            input_now_[output] = input;
            output_now_[input] = output;
            length_now_[output] = length;
        }
    }

    // Sets `now_` to the candidates that are better than the conflicting pairs of the last
    // matching, and `given_up_` to those pairs.
    void merge() {
        for (PortSet left = candidates_; left != 0; left &= ~walked_) {
            walked_ = against_ = 0;
            gain_ = 0;
            const PortIndex start = first_of(left);
            const PortIndex input = input_now_[start];
            if (!walk_forward(start, input)) walk_back(input);
            if (gain_ <= 0) continue;
            now_ |= walked_;
            given_up_ |= against_;
        }
    }
    // Walks the path from a candidate's output on. Returns true if the path is a cycle, which leads
    // back to `start`.
    bool walk_forward(PortIndex output, PortIndex start) {
        for (;;) {
            assert((candidates_ & ~walked_ & only(output)) != 0 && "a path has no loop in it");
            walked_ |= only(output);
            gain_ += static_cast<int64_t>(length_now_[output]);
            const PortIndex input = input_before(output);
            if (input == nobody) return false;
            stand_against(input, output);
            if (input == start) return true;
            if ((candidate_inputs_ & only(input)) == 0) return false;
            output = output_now_[input];
        }
    }
    // Walks the path from a candidate's input on, in the opposite direction.
    void walk_back(PortIndex input) {
        for (;;) {
            const PortIndex output = output_before(input);
            if (output == nobody) return;
            stand_against(input, output);
            if ((candidates_ & only(output)) == 0) return;
            assert((walked_ & only(output)) == 0);
            walked_ |= only(output);
            gain_ += static_cast<int64_t>(length_now_[output]);
            input = input_now_[output];
        }
    }
    void stand_against(PortIndex input, PortIndex output) {
        against_ |= only(output);
        gain_ -= static_cast<int64_t>(backlog(input, output));
    }

    void fill(PortSet outputs, PortIndex first, Matching& matching) {
        for (; outputs != 0; outputs &= outputs - 1) {
            const PortIndex output = first_of(outputs);
            const PortSet free = asking(output) & ~matching.matched;
            if (free == 0) continue;
            const PortSet after = free & ~PortSet{0} << first;
            take(first_of(after != 0 ? after : free), output, matching);
        }
    }
    void take(PortIndex input, PortIndex output, Matching& matching) {
        assert((outputs_ & ~taken_outputs_ & only(output)) != 0);
        matching.pair(input, output, priority_);
        last_.pair(input, output);
        taken_outputs_ |= only(output);
    }

    const Requests& requests_;
    Priority priority_;
    PortSet inputs_;   // free inputs
    PortSet outputs_;  // outputs that may be matched
    Memory& last_;
    PortSet taken_outputs_ = 0;

    PortSet candidates_ = 0;  // outputs that have a candidate
    PortSet candidate_inputs_ = 0;
    std::array<PortIndex, max_ports> input_now_;
    std::array<PortIndex, max_ports> output_now_;
    std::array<uint64_t, max_ports> length_now_;  // queue length of the candidate, by output

    PortSet now_ = 0;       // outputs that are matched to their candidate
    PortSet given_up_ = 0;  // outputs that lose the input of the last matching
    // The path or cycle that is being walked.
    PortSet walked_ = 0;
    PortSet against_ = 0;
    int64_t gain_ = 0;
};

void Serena::match(const Requests& requests, Matching& matching) {
    slot_ = (slot_ + 1) % (turn_of_islip * max_ports);
    if (slot_ % turn_of_islip == 0) return islip_.match(requests, matching);
    matching.matched = 0;
    const auto first = static_cast<PortIndex>(slot_ % requests.ports);
    PortSet outputs = requests.outputs;
    const auto match_at = [&](Priority priority) {
        const PortSet open = requests.open[priority] & outputs;
        const PortSet inputs = requests.inputs & ~matching.matched;
        if (open == 0 || inputs == 0) return;
        outputs &= ~PriorityMatching(requests, priority, inputs, open, last_[priority])
                        .match(first, matching);
    };
    if (requests.favourite != Requests::no_favourite) match_at(requests.favourite);
    for (Priority priority = max_priorities; priority-- > 0;) {
        if (priority != requests.favourite) match_at(priority);
    }
}

}  // namespace sluice
