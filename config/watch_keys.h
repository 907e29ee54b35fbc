// Watch keys: the part of the schema (schema.h) about observing frames. Used only by schema.cc.
#pragma once

#include <array>

#include "config/key_row.h"

namespace sluice::config::keys {

inline constexpr auto latency_keys = std::to_array<Key>({
    key(Kind::whole, "sample",
        "one frame in so many, on average, is timed from the poll that receives it to the one that "
        "sends it; 0 turns timing off: a fully loaded worker then forwards 2 to 3 % more",
        "256", 1, 1'000'000) |
        Is::or_zero,
});

}  // namespace sluice::config::keys
