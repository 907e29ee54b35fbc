// TraceReader: reads messages from a file of comma-separated values:
//
//   time,from,to,bytes,priority
//   0,h0,h1,65536,3
//   12.5us,h1,h0,1000,3
// Times have a unit, as in a scenario; octets have none. Lines may be in any order.
// Bound: 64 MiB and 1 Mi messages. Reports at most a thousand faults, and then that there may be
// more.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "config/yaml/fault.h"
#include "tools/sim/scenario/host_names.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

inline constexpr std::size_t longest_trace = 64 * 1024 * 1024;

// Returns the messages ordered by time. `leads`: whether there is a path from one host to another;
// `file_name`: the name of the text in faults.
tl::expected<std::vector<TraceLine>, std::vector<config::Fault>> read_trace(
    std::string_view text, std::string file_name, const HostNames& names,
    const std::function<bool(std::size_t, std::size_t)>& leads);

}  // namespace sluice::sim
