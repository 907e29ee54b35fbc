// Saturation: inputs at which a full burst always waits and outputs that take everything, for
// frames of 14 to 9,216 octets in any mix (tests/support/full_ports.h).
//
//   whole     with one worker whatever a poll takes in leaves in it, whoever sends to whom
//   workers   with several, of which none is a poll ahead of another, and where each output gets as
//             much as its input brings, nothing is lost either
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/property/draw.h"
#include "tests/support/full_ports.h"

namespace sluice::property {
namespace {

using Pattern = test::FullMix::Pattern;

test::FullMix draw_mix(std::initializer_list<Pattern> patterns) {
    test::FullMix mix{.lengths = {}, .priorities = wide<std::size_t>(1, max_priorities)};
    for (auto left = wide<int>(1, 4); left > 0; --left) {
        mix.lengths.push_back(wide<int>(0, 1) == 0 ? wide<uint16_t>(14, 9216)
                                                   : one_of<uint16_t>({60, 1514, 9216}));
    }
    mix.pattern = one_of(patterns);
    return mix;
}

void saturate(const Settings& settings, const test::FullMix& mix, bool whole) {
    test::Saturated saturated(settings, mix, wide<std::size_t>(1, max_burst),
                              wide<uint64_t>(1, 1 << 30));
    for (auto polls = wide<int>(1, 60); polls > 0; --polls) {
        saturated.poll();
        if (whole) RC_ASSERT(saturated.dataplane.empty());
    }
    RC_ASSERT(saturated.drain());
    RC_ASSERT(saturated.ports.sent() == saturated.ports.received());
    RC_ASSERT(saturated.ports.disordered() == 0U);
}

Settings draw_settings(const test::FullMix& mix, uint8_t workers) {
    Settings settings = test::FullPorts::settings_of(
        wide<std::size_t>(std::max<int>(2, workers), 64), workers, mix);
    settings.fabric.algorithm = one_of({MatchingAlgorithm::islip, MatchingAlgorithm::serena});
    if (wide<int>(0, 1) == 0) settings.fabric.quantum = Bytes(65536);
    for (PortSettings& port : settings.ports) port.scheduler = draw_scheduler();
    return settings;
}

RC_GTEST_PROP(Saturation, WhatAPollTakesInItLetsOut, ()) {
    const test::FullMix mix = draw_mix({Pattern::uniform, Pattern::neighbour, Pattern::incast});
    saturate(draw_settings(mix, 1), mix, true);
}

RC_GTEST_PROP(Saturation, BetweenWorkersNothingIsLost, ()) {
    const test::FullMix mix = draw_mix({Pattern::uniform, Pattern::neighbour});
    saturate(draw_settings(mix, wide<uint8_t>(2, 8)), mix, false);
}

}  // namespace
}  // namespace sluice::property
