// Output keys: the parts of the schema (schema.h) under `scheduler` and `remark` of a port. Used
// only by port_keys.h.
#pragma once

#include <algorithm>
#include <array>

#include "config/key_row.h"
#include "config/port/key_parts.h"
#include "dataplane/egress/scheduler.h"

namespace sluice::config::keys {

inline constexpr auto scheduler_keys = std::to_array<Key>({
    key(Kind::list, "traffic_class",
        "the traffic class of each priority, 0 first (802.1Q 8.6.6); priorities of one class take "
        "turns",
        "[0, 1, 2, 3, 4, 5, 6, 7]", a_class, 8, 8),
    key(Kind::list, "strict",
        "traffic classes served first, the highest first; so are classes that are named nowhere",
        "[]", a_class, 0, max_priorities) |
        Is::distinct,
    key(Kind::table, "wrr", "traffic classes that share what is left, frames by weight", "{}",
        class_to_weight),
    key(Kind::table, "dwrr",
        "traffic classes that share the remaining bandwidth, octets by weight; not with `wrr`",
        "{}", class_to_weight),
});
static_assert(std::ranges::all_of(SharingSchedulers::choices,
                                  [](const auto& row) {
                                      return std::ranges::count(scheduler_keys, row.key,
                                                                &Key::name) == 1;
                                  }),
              "a scheduler has no key");

inline constexpr auto remark_keys = std::to_array<Key>({
    key(Kind::table, "pcp", "the PCP in the tag of each priority; unnamed priorities keep theirs",
        "{}", priority_to_pcp),
    key(Kind::table, "dscp",
        "the DSCP in the IP header of each priority; unnamed priorities keep theirs", "{}",
        priority_to_dscp),
});

}  // namespace sluice::config::keys
