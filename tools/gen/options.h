// Options: parses the command line of `sluice-gen` into a description of traffic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dataplane/types/units.h"
#include "tools/gen/benchmarks/mlr_throughput.h"
#include "tools/gen/benchmarks/rfc2544.h"
#include "tools/gen/benchmarks/rfc8239.h"
#include "tools/gen/benchmarks/throughput.h"
#include "tools/gen/benchmarks/y1564.h"
#include "tools/gen/generator.h"

namespace sluice::gen {

enum class Form : uint8_t { text, json, csv };

struct Options {
    std::vector<std::string> devices;  // device strings of pmd_glue
    Traffic traffic;
    Nanos duration{5'000'000'000};  // duration of the run, or of each trial
    std::optional<SearchSettings> search;
    std::optional<MlrGoal> mlr;  // goal of an MLRsearch
    std::optional<Rfc2544Settings> rfc2544;
    std::optional<Rfc8239Settings> rfc8239;
    // Settings of a Y.1564 test, without its services, which are in a file.
    std::optional<Y1564Settings> y1564;
    std::vector<NamedMix> mixes;  // each test runs for each mix; without a test there is one
    Form form = Form::text;
    std::string streams;   // file of streams; empty: none
    std::string services;  // file of services; empty: none
    std::string html;      // file to which a page is written; empty: none
    bool quiet = false;
    std::vector<std::string> eal;  // arguments after `--`
};

// Returns the options; or the exit status after printing the help (0) or a fault (2).
std::variant<Options, int> read_options(int argc, char** argv);

}  // namespace sluice::gen
