#include "dataplane/fabric/islip.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace sluice {
namespace {

// Returns the first member of `set` at or after `from`, with wrap-around. `set` is not empty. There
// are no branches, since wrapping is unpredictable.
PortIndex next_in_order(PortSet set, PortIndex from) {
    assert(set != 0 && from < max_ports);
    const auto distance = static_cast<unsigned>(first_of(std::rotr(set, from)));
    return static_cast<PortIndex>((from + distance) % max_ports);
}

PortIndex one_beyond(PortIndex port, std::size_t ports) {
    return static_cast<PortIndex>(port + 1U == ports ? 0 : port + 1U);
}

constexpr Priority no_level = max_priorities;

// Returns the highest rank at which the output may be matched and any of `inputs` requests it.
Priority first_level(const Requests& requests, PortIndex output, PortSet inputs) {
    const PrioritySet levels =
        requests.open.with_any(only(output)) & requests.rows[output].with_any(inputs);
    if (levels == 0) return no_level;
    const bool favoured = (levels & only_priority(requests.favourite)) != 0;
    return favoured ? requests.favourite : static_cast<Priority>(std::bit_width(levels) - 1);
}

// The grants that inputs hold in one iteration: for each input only those of the best priority.
// `add` has no branches, since they would be unpredictable.
class Grants {
  public:
    explicit Grants(const Requests& requests) : requests_(requests) {
        std::fill_n(outputs_.begin(), requests.ports, 0);
    }

    void add(PortIndex input, PortIndex output, Priority at) {
        const auto rank = static_cast<uint8_t>(requests_.rank(at) + 1);
        uint8_t& best = best_[input];
        const PortSet kept = outputs_[input] & all_if(rank <= best);
        outputs_[input] = kept | (only(output) & all_if(rank >= best));
        best = std::max(best, rank);
        inputs_ |= only(input);
    }
    [[nodiscard]] PortSet inputs() const { return inputs_; }
    [[nodiscard]] PortSet outputs(PortIndex input) const { return outputs_[input]; }
    [[nodiscard]] Priority priority(PortIndex input) const {
        assert(best_[input] > 0);
        return requests_.of_rank(static_cast<uint8_t>(best_[input] - 1));
    }

  private:
    static PortSet all_if(bool condition) { return ~PortSet{0} * static_cast<PortSet>(condition); }

    const Requests& requests_;
    PortSet inputs_ = 0;
    std::array<PortSet, max_ports> outputs_;
    std::array<uint8_t, max_ports> best_{};  // rank of an input's grants + 1; 0: no grant
};

}  // namespace

void Islip::match(const Requests& requests, Matching& matching) {
    matching.matched = 0;
    PortSet inputs = requests.inputs;
    PortSet outputs = requests.outputs;

    for (unsigned iteration = 0; iteration < iterations_; ++iteration) {
        Grants grants(requests);
        for_each_port(outputs, [&](PortIndex output) {
            const Priority level = first_level(requests, output, inputs);
            if (level == no_level) {
                // Free inputs only become fewer, so the output gets no request later in this slot.
                outputs &= ~only(output);
                return;
            }
            const PortSet asking = requests.rows[output][level] & inputs;
            grants.add(next_in_order(asking, grant_[output][level]), output, level);
        });
        if (grants.inputs() == 0) return;

        for_each_port(grants.inputs(), [&](PortIndex input) {
            const Priority level = grants.priority(input);
            const PortIndex output = next_in_order(grants.outputs(input), accept_[input][level]);
            matching.pair(input, output, level);
            outputs &= ~only(output);
            if (iteration == 0) {
                grant_[output][level] = one_beyond(input, requests.ports);
                accept_[input][level] = one_beyond(output, requests.ports);
            }
        });
        inputs &= ~grants.inputs();
    }
}

}  // namespace sluice
