// Output keys: the parts of the schema (schema.h) under `scheduler` and `remark` of a port. Used
// only by port_keys.h.
#pragma once

#include <algorithm>
#include <array>

#include "config/port/key_parts.h"
#include "config/schema.h"
#include "dataplane/egress/scheduler.h"

namespace sluice::config::keys {

inline constexpr auto scheduler_keys = std::to_array<Key>({
    {.name = "traffic_class",
     .kind = Kind::list,
     .help = "the traffic class of each priority, 0 first (802.1Q 8.6.6); priorities of one class "
             "take turns",
     .fallback = "[0, 1, 2, 3, 4, 5, 6, 7]",
     .inside = a_class,
     .fewest = 8,
     .most = 8},
    {.name = "strict",
     .kind = Kind::list,
     .help =
         "traffic classes served first, the highest first; so are classes that are named nowhere",
     .fallback = "[]",
     .inside = a_class,
     .most = max_priorities,
     .distinct = true},
    {.name = "wrr",
     .kind = Kind::table,
     .help = "traffic classes that share what is left, frames by weight",
     .fallback = "{}",
     .inside = class_to_weight},
    {.name = "dwrr",
     .kind = Kind::table,
     .help = "traffic classes that share what is left, octets by weight; not beside `wrr`",
     .fallback = "{}",
     .inside = class_to_weight},
});
static_assert(std::ranges::all_of(SharingSchedulers::choices,
                                  [](const auto& row) {
                                      return std::ranges::count(scheduler_keys, row.key,
                                                                &Key::name) == 1;
                                  }),
              "a scheduler has no key");

inline constexpr auto remark_keys = std::to_array<Key>({
    {.name = "pcp",
     .kind = Kind::table,
     .help = "the PCP in the tag of each priority; unnamed priorities keep theirs",
     .fallback = "{}",
     .inside = priority_to_pcp},
    {.name = "dscp",
     .kind = Kind::table,
     .help = "the DSCP in the IP header of each priority; unnamed priorities keep theirs",
     .fallback = "{}",
     .inside = priority_to_dscp},
});

}  // namespace sluice::config::keys
