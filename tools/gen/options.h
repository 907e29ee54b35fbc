// Options: the words of `sluice-gen` as a description of traffic.
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
    Nanos duration{5'000'000'000};  // of a trial, where there is a search
    std::optional<SearchSettings> search;
    std::optional<MlrGoal> mlr;  // likewise, by another search
    std::optional<Rfc2544Settings> rfc2544;
    std::optional<Rfc8239Settings> rfc8239;
    std::optional<Y1564Settings> y1564;  // whose services are in a file
    std::vector<NamedMix> mixes;  // for each of which there is one of these; else the only one
    Form form = Form::text;
    std::string streams;   // the file that they are in; empty: there is none
    std::string services;  // likewise
    std::string html;      // where a page goes, too; empty: nowhere
    bool quiet = false;
    std::vector<std::string> eal;  // arguments behind `--`
};

// The options; or the exit status, if help was given (0) or the command line was wrong (2), which
// has been reported on standard output or error.
std::variant<Options, int> read_options(int argc, char** argv);

}  // namespace sluice::gen
