// State keys: the part of the schema (schema.h) about state that survives a restart. For schema.cc
// alone.
#pragma once

#include <array>

#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto state_keys = std::to_array<Key>({
    {.name = "fdb",
     .kind = Kind::boolean,
     .help = "learned addresses are known again after a restart, as far as they have not aged by "
             "then",
     .fallback = "false"},
    {.name = "counters",
     .kind = Kind::boolean,
     .help = "counters of ports go on from where they were before a restart",
     .fallback = "false"},
    {.name = "interval",
     .kind = Kind::time,
     .help = "between two times that they are written while the switch runs: how much a kill can "
             "lose; a clean stop writes them as well",
     .fallback = "60s",
     .needs = Needs::something_kept,
     .lowest = 1'000'000'000,
     .highest = 3'600'000'000'000},
});

}  // namespace sluice::config::keys
