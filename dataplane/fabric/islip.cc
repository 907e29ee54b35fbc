#include "dataplane/fabric/islip.h"

#include <bit>

namespace sluice {
namespace {

// The first member of `set` at or after `from`, wrapping around. `set` is not empty.
PortIndex next_in_order(PortSet set, PortIndex from) {
    const PortSet after = set & (~PortSet{0} << from);
    return static_cast<PortIndex>(std::countr_zero(after != 0 ? after : set));
}

PortIndex one_beyond(PortIndex port, std::size_t ports) {
    return static_cast<PortIndex>(port + 1U == ports ? 0 : port + 1U);
}

// The priorities at which any of `inputs` asks for the output.
PrioritySet levels_present(const RequestRow& row, PortSet inputs) {
    unsigned present = 0;
    for (unsigned priority = 0; priority < max_priorities; ++priority) {
        present |= static_cast<unsigned>((row.inputs[priority] & inputs) != 0) << priority;
    }
    return static_cast<PrioritySet>(present);
}

constexpr Priority no_level = max_priorities;

// The first in rank of `levels` at which the output may be matched.
Priority first_level(const Requests& requests, PortIndex output, PrioritySet levels) {
    while (levels != 0) {
        const bool favoured = requests.favourite != Requests::no_favourite &&
                              (levels & only_priority(requests.favourite)) != 0;
        const auto level =
            favoured ? requests.favourite : static_cast<Priority>(std::bit_width(levels) - 1);
        if ((requests.open[level] & only(output)) != 0) return level;
        levels &= static_cast<PrioritySet>(~only_priority(level));
    }
    return no_level;
}

// The grants that inputs hold in one iteration: for each, those of the best priority only.
struct Grants {
    PortSet inputs = 0;
    std::array<PortSet, max_ports> outputs;
    std::array<Priority, max_ports> priority;

    void add(const Requests& requests, PortIndex input, PortIndex output, Priority at) {
        if ((inputs & only(input)) == 0 || requests.rank(at) > requests.rank(priority[input])) {
            inputs |= only(input);
            outputs[input] = only(output);
            priority[input] = at;
        } else if (at == priority[input]) {
            outputs[input] |= only(output);
        }
    }
};

}  // namespace

void Islip::match(const Requests& requests, Matching& matching) {
    matching.matched = 0;
    PortSet inputs = requests.inputs;
    PortSet outputs = requests.outputs;

    for (unsigned iteration = 0; iteration < iterations_; ++iteration) {
        Grants grants;
        for (PortSet left = outputs; left != 0; left &= left - 1) {
            const auto output = static_cast<PortIndex>(std::countr_zero(left));
            const RequestRow& row = requests.rows[output];
            const Priority level = first_level(requests, output, levels_present(row, inputs));
            if (level == no_level) {
                outputs &= ~only(output);  // inputs only get fewer: nobody will ask in this slot
                continue;
            }
            const PortIndex input =
                next_in_order(row.inputs[level] & inputs, grant_[output][level]);
            grants.add(requests, input, output, level);
        }
        if (grants.inputs == 0) return;

        for (PortSet left = grants.inputs; left != 0; left &= left - 1) {
            const auto input = static_cast<PortIndex>(std::countr_zero(left));
            const Priority level = grants.priority[input];
            const PortIndex output = next_in_order(grants.outputs[input], accept_[input][level]);
            matching.pair(input, output, level);
            outputs &= ~only(output);
            if (iteration == 0) {
                grant_[output][level] = one_beyond(input, requests.ports);
                accept_[input][level] = one_beyond(output, requests.ports);
            }
        }
        inputs &= ~grants.inputs;
    }
}

}  // namespace sluice
