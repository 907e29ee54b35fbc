// State keys: the part of the schema (schema.h) about state that survives a restart. Used only by
// schema.cc.
#pragma once

#include <array>

#include "config/key_row.h"

namespace sluice::config::keys {

inline constexpr auto state_keys = std::to_array<Key>({
    key(Kind::boolean, "fdb",
        "learned addresses are restored after a restart, unless they have aged", "false"),
    key(Kind::boolean, "counters", "counters of ports continue after a restart", "false"),
    key(Kind::time, "interval",
        "how often state is written while the switch runs, so how much a kill can lose; a clean "
        "stop writes it as well",
        "60s", 1'000'000'000, 3'600'000'000'000) |
        Needs::something_kept,
});

}  // namespace sluice::config::keys
