// RequestGrantAccept: the common loop of PIM, RRM and iLQF. In each iteration every free output
// grants one of the free inputs that request it, and every granted input accepts one grant. The
// loop ends early when there are no requests.
// `grant(output, inputs)` and `accept(input, outputs)` choose a member of a set that is not empty.
#pragma once

#include "tools/sim/fabric/matcher.h"

namespace sluice::sim {

template <class Grant, class Accept>
void request_grant_accept(const Voqs& voqs, unsigned iterations, Matching& matching, Grant grant,
                          Accept accept) {
    PortSet free_inputs = first_ports(voqs.ports());
    PortSet free_outputs = free_inputs;
    for (unsigned iteration = 0; iteration < iterations; ++iteration) {
        PortSet granted = 0;
        std::array<PortSet, max_ports> grants;
        for_each_port(free_outputs, [&](PortIndex output) {
            const PortSet asking = voqs.inputs_for(output) & free_inputs;
            if (asking == 0) return;
            const PortIndex input = grant(output, asking);
            grants[input] =
                (granted & only(input)) == 0 ? only(output) : grants[input] | only(output);
            granted |= only(input);
        });
        if (granted == 0) return;
        for_each_port(granted, [&](PortIndex input) {
            const PortIndex output = accept(input, grants[input]);
            matching.pair(input, output);
            free_outputs &= ~only(output);
        });
        free_inputs &= ~granted;
        matching.iterations = iteration + 1;
    }
}

}  // namespace sluice::sim
