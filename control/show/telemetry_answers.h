// TelemetryAnswers: nouns of `sluice show` as commands of DPDK's telemetry: a command without an
// argument lists the keys of its rows; with a key as argument it returns that row as a flat table.
//
//   /sluice/pfc        ["p0,3", "p1,3"]
//   /sluice/pfc,p0     ["p0,3"]
//   /sluice/pfc,p0,3   {"lossless": 1, "rx_pause": 7, ...}
//
// Bound: a list has 200 words, and a last word with the number of words that were left out. A row
// has numbers, texts and booleans, also those in maps inside the row, but no lists, which `sluice
// show` has. Pure: the caller provides the nouns.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "control/show/snapshot.h"

namespace sluice::control {

struct TelemetryNoun {
    std::string_view command;
    std::string_view noun;                            // name of the noun (nouns.h)
    std::string_view rows = {};                       // JSON pointer to the rows of the noun
    std::span<const std::string_view> row_keys = {};  // empty: the noun is one row
    std::string_view help = {};
};

std::span<const TelemetryNoun> telemetry_nouns();

// Returns an array of texts, or an object of texts with numbers from 0 on as keys.
Json telemetry_answer(const TelemetryNoun& about, const Json& shown, std::string_view parameters);

}  // namespace sluice::control
