// Report: the results of a run as text and as JSON.
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
    uint32_t addresses = 1;  // addresses of each station
    double seconds = 0;      // time of sending
    double mpps = 0;         // rate delivered while sending
    Results results;
    std::vector<std::string> streams = {};  // names of the streams, if there are any
};

// Returns {p50, p99, p999, max} in nanoseconds.
Json latency_json(const Quantiles& latency);
// Keys: ports, addresses, seconds, offered, delivered, lost, reordered, duplicates, strays, mpps,
// refused, pfc_received, latency_ns, flows [{stream (its name, if the flow is a stream), sender,
// receiver, priority, offered, delivered, lost, reordered, duplicates, latency_ns}].
Json to_json(const Summary& summary);
// Returns a table of the flows, of the first ones if there are many, and the sums.
std::string to_text(const Summary& summary);
// Returns an empty line, the title and a table; an empty text if there are no rows.
std::string section(std::string_view title, const Json& rows, std::span<const cli::Column> columns);
// Returns lines of CSV: every number, text and boolean in `value` with its path, as
// `lead,latency_ns.p99,17`, without lists and the `keys` that the lead contains.
std::string figures(std::string_view lead, const Json& value,
                    std::span<const std::string_view> keys = {});
// Returns a text without quotes, other values as JSON.
std::string word_of(const Json& value);
// Returns `p50 1.2 us, p99 ..., p99.9 ..., max ...`.
std::string latency_text(const Quantiles& latency);

}  // namespace sluice::gen
