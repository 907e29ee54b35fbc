// SimSweep: one scenario for every combination of some values, on all cores: a row a combination
// and flow.
//
// The values go before what the file says (tools/sim/scenario/override.h). All combinations are
// read before the first is run, so that what is wrong is told at once.
// SIGINT and SIGTERM end it (interrupt.h): the rows of those combinations that are complete are
// printed. One that stops alone, for `run.memory`, which each may take, has none; that is told.
// Bound: 1000 combinations. Which core runs which changes no number.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "tools/sim/scenario/override.h"
#include "tools/sluice/sim/output.h"
#include "tools/sluice/sim/report.h"

namespace sluice::cli {

struct Swept {
    std::string key;
    std::vector<std::string> values;
};
// Of `KEY=V1,V2,...`, a comma inside brackets apart; else what is wrong with the word.
tl::expected<Swept, std::string> parse_sweep(std::string_view word);

// The last key's value changes first.
std::vector<std::vector<sim::Override>> combinations(const std::vector<Swept>& swept);

struct Sweep {
    std::string file;
    std::string text;
    std::vector<sim::Override> changes;  // in every combination
    std::vector<Swept> swept{};
};
// A key that is swept and changed besides, or swept twice: one of both would not be what its rows
// are labelled with. Empty: there is none.
std::string key_given_twice(const Sweep& sweep);
// Returns what to exit with.
int run_sweep(const Sweep& sweep, Output output, ReportFile* report);

// Each as KEY=VALUE.
Json words_of(const std::vector<sim::Override>& changes);

}  // namespace sluice::cli
