// Matching: whatever is asked for and offered, in any number of iterations.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <memory>
#include <random>
#include <vector>

#include "dataplane/fabric/islip.h"
#include "dataplane/fabric/matchers.h"
#include "tests/property/draw.h"
#include "tests/support/offer.h"

namespace sluice::property {
namespace {

struct Slot {
    std::vector<RequestRow> rows;
    std::vector<Counter> lengths;  // of VOQs, [input][output][priority]
    Requests requests;

    [[nodiscard]] bool asked(PortIndex input, PortIndex output, Priority priority) const {
        return (rows[output][priority] & only(input)) != 0;
    }
};

// A slot of `ports` ports in which about one VOQ in `sparsity` asks.
Slot draw_slot(std::size_t ports, std::minstd_rand& random) {
    Slot slot;
    slot.rows.resize(ports);
    const unsigned sparsity = 1U << random() % 8;
    for (RequestRow& row : slot.rows) {
        for (PortSet& inputs : row.ports) {
            for (PortIndex input = 0; input < ports; ++input) {
                if (random() % sparsity == 0) inputs |= only(input);
            }
        }
    }
    slot.requests.rows = slot.rows.data();
    slot.requests.ports = ports;
    const bool all_free = random() % 2 == 0;
    slot.requests.inputs =
        first_ports(ports) & (all_free ? ~PortSet{0} : PortSet{random()} << 20 | random());
    for (PortIndex output = 0; output < ports; ++output) {
        test::offer(slot.requests, output,
                    all_free ? PrioritySet{0xFF} : static_cast<PrioritySet>(random()));
    }
    slot.lengths = std::vector<Counter>(ports * ports * max_priorities);
    for (Counter& length : slot.lengths) length.set(random() % 4);
    slot.requests.backlog.to_next_output = sizeof(Counter) * max_priorities;
    slot.requests.backlog.to_next_priority = sizeof(Counter);
    slot.requests.arrivals.inputs = first_ports(ports) & random();
    for (PortIndex input = 0; input < ports; ++input) {
        slot.requests.backlog.first[input] = &slot.lengths[input * ports * max_priorities];
        slot.requests.arrivals.output[input] = static_cast<PortIndex>(random() % ports);
        slot.requests.arrivals.priority[input] = static_cast<Priority>(random() % max_priorities);
    }
    slot.requests.favourite = static_cast<Priority>(random() % (max_priorities + 1));
    return slot;
}

std::unique_ptr<Matcher> draw_matcher(unsigned iterations) {
    FabricSettings settings;
    settings.algorithm = one_of({MatchingAlgorithm::islip, MatchingAlgorithm::serena});
    auto matcher = make_matcher(settings);
    matcher->set_iterations(iterations);
    return matcher;
}

RC_GTEST_PROP(Matching, IsAMatchingOverRequestsAndOffers, ()) {
    const auto ports = between<std::size_t>(1, 64);
    const auto matcher = draw_matcher(between<unsigned>(1, 4));
    std::minstd_rand random(between<unsigned>(1, 1'000'000));
    for (int n = 0; n < 80; ++n) {
        const Slot slot = draw_slot(ports, random);
        Matching matching;
        matcher->match(slot.requests, matching);
        PortSet outputs = 0;
        for (PortSet left = matching.matched; left != 0; left &= left - 1) {
            const auto input = static_cast<PortIndex>(std::countr_zero(left));
            const PortIndex output = matching.output[input];
            const Priority priority = matching.priority[input];
            RC_ASSERT(output < ports);
            RC_ASSERT((outputs & only(output)) == 0U);
            outputs |= only(output);
            RC_ASSERT((slot.requests.inputs & only(input)) != 0U);
            RC_ASSERT((slot.requests.open[priority] & only(output)) != 0);
            RC_ASSERT(slot.asked(input, output, priority));
        }
    }
}

// Every iteration matches a pair if any can be matched: after as many iterations as ports, no
// request is left between a free input and a free output that offers its priority.
RC_GTEST_PROP(Matching, IsMaximalAfterAsManyIterationsAsPorts, ()) {
    const auto ports = between<std::size_t>(1, 24);
    const auto matcher = draw_matcher(static_cast<unsigned>(ports));
    std::minstd_rand random(between<unsigned>(1, 1'000'000));
    for (int n = 0; n < 70; ++n) {
        const Slot slot = draw_slot(ports, random);
        Matching matching;
        matcher->match(slot.requests, matching);
        PortSet outputs = 0;
        for (PortIndex input = 0; input < ports; ++input) {
            if ((matching.matched & only(input)) != 0) outputs |= only(matching.output[input]);
        }
        for (PortIndex input = 0; input < ports; ++input) {
            if ((slot.requests.inputs & ~matching.matched & only(input)) == 0) continue;
            for (PortIndex output = 0; output < ports; ++output) {
                if ((outputs & only(output)) != 0) continue;
                for (Priority priority = 0; priority < max_priorities; ++priority) {
                    const bool offered = (slot.requests.open[priority] & only(output)) != 0;
                    RC_ASSERT(!(offered && slot.asked(input, output, priority)));
                }
            }
        }
    }
}

// Persistent requests at the highest priority: each is served once in any ports^2 slots, whatever
// is asked for below it (McKeown 1999, section 3: no connection is starved).
RC_GTEST_PROP(Matching, ServesEveryPersistentRequestWithinPortsSquared, ()) {
    const auto ports = one_of<std::size_t>({1, 2, 3, 4, 7, 8, 16, 32});
    Islip islip(between<unsigned>(1, 4));
    std::minstd_rand random(between<unsigned>(1, 1'000'000));
    std::vector<RequestRow> rows(ports);
    const unsigned sparsity = 1 + random() % 4;
    for (RequestRow& row : rows) {
        for (PortIndex input = 0; input < ports; ++input) {
            const auto priority = random() % sparsity == 0 ? std::size_t{7} : random() % 7;
            row[priority] |= only(input);
        }
    }
    Requests requests;
    requests.rows = rows.data();
    requests.ports = ports;
    requests.inputs = first_ports(ports);
    requests.offer_all();

    const std::size_t bound = ports * ports;
    std::vector<std::size_t> served(ports * ports, 0);
    for (std::size_t slot = 1; slot <= 3 * bound; ++slot) {
        Matching matching;
        islip.match(requests, matching);
        for (PortSet left = matching.matched; left != 0; left &= left - 1) {
            const auto input = static_cast<PortIndex>(std::countr_zero(left));
            if (matching.priority[input] == 7) {
                served[input * ports + matching.output[input]] = slot;
            }
        }
        for (PortIndex input = 0; input < ports; ++input) {
            for (PortIndex output = 0; output < ports; ++output) {
                if ((rows[output][7] & only(input)) == 0) continue;
                RC_ASSERT(slot - served[input * ports + output] <= bound);
            }
        }
    }
}

TEST(Matching, OfSixtyFourPortsServesEverybodyWithinTheBound) {
    for (unsigned iterations = 1; iterations <= 4; ++iterations) {
        Islip islip(iterations);
        std::vector<RequestRow> rows(64);
        for (RequestRow& row : rows) row[0] = ~PortSet{0};
        Requests requests;
        requests.rows = rows.data();
        requests.ports = 64;
        requests.inputs = ~PortSet{0};
        requests.offer_all();
        std::vector<PortSet> served(64, 0);
        for (int slot = 0; slot < 64 * 64; ++slot) {
            Matching matching;
            islip.match(requests, matching);
            for (PortIndex input = 0; input < 64; ++input) {
                if ((matching.matched & only(input)) != 0) {
                    served[input] |= only(matching.output[input]);
                }
            }
        }
        for (const PortSet outputs : served) EXPECT_EQ(outputs, ~PortSet{0}) << iterations;
    }
}

}  // namespace
}  // namespace sluice::property
