// ScenarioOf: a scenario out of text in a test, and what a run of it gives. Its faults fail the
// test that asked for it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim::test {

inline NetworkScenario scenario_of(const std::string& text, const std::string& file = "test.yaml") {
    auto read = read_scenario(text, file);
    if (read) return *read;
    for (const config::Fault& fault : read.error()) ADD_FAILURE() << config::to_string(fault);
    return {};
}
inline NetworkResult run(const std::string& text, const std::string& file = "test.yaml") {
    return simulate(scenario_of(text, file));
}

}  // namespace sluice::sim::test
