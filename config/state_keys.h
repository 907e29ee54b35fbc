// State keys: the part of the schema (schema.h) about state that survives a restart. Used only by
// schema.cc.
#pragma once

#include <array>

#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto state_keys = std::to_array<Key>({
    {.name = "fdb",
     .kind = Kind::boolean,
     .help = "learned addresses are restored after a restart, unless they have aged",
     .fallback = "false"},
    {.name = "counters",
     .kind = Kind::boolean,
     .help = "counters of ports continue after a restart",
     .fallback = "false"},
    {.name = "interval",
     .kind = Kind::time,
     .help = "how often state is written while the switch runs, so how much a kill can lose; a "
             "clean stop writes it as well",
     .fallback = "60s",
     .needs = Needs::something_kept,
     .lowest = 1'000'000'000,
     .highest = 3'600'000'000'000},
});

}  // namespace sluice::config::keys
