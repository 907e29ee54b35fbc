// Report: results of a run as text for people and as JSON for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/common/table.h"
#include "tools/gen/generator.h"

namespace sluice::gen {

using Json = nlohmann::ordered_json;

struct Summary {
    std::size_t ports = 0;
    uint32_t addresses = 1;  // of each
    double seconds = 0;      // of sending
    double mpps = 0;         // delivered while sending
    Results results;
    std::vector<std::string> streams = {};  // their names, if there are any
};

// {p50, p99, p999, max} in nanoseconds.
Json latency_json(const Quantiles& latency);
// Keys: ports, addresses, seconds, offered, delivered, lost, reordered, duplicates, strays, mpps,
// refused, pfc_received, latency_ns, flows [{stream (where there are any: its name), sender,
// receiver, priority, offered, delivered, lost, reordered, duplicates, latency_ns}].
Json to_json(const Summary& summary);
// Flows in a table, the first of them if they are many, and the sums.
std::string to_text(const Summary& summary);
// A table below its title and an empty line; nothing of no rows.
std::string section(std::string_view title, const Json& rows, std::span<const cli::Column> columns);
// Lines of CSV: every number, text and boolean in `value` by its path, as `lead,latency_ns.p99,17`,
// except lists and the `keys` that the lead contains already.
std::string figures(std::string_view lead, const Json& value,
                    std::span<const std::string_view> keys = {});
// A word as it is, anything else as JSON has it.
std::string word_of(const Json& value);
// `p50 1.2 us, p99 ..., p99.9 ..., max ...`
std::string latency_text(const Quantiles& latency);

}  // namespace sluice::gen
