// Watchdog keys: the part of the schema (schema.h) under `pfc.watchdog` of a port. Used only by
// port_keys.h.
#pragma once

#include "config/port/key_parts.h"
#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto watchdog_keys = std::to_array<Key>({
    {.name = "action",
     .kind = Kind::choice,
     .help = "action against a peer that pauses without end, and a device that takes no frames: "
             "`alert` reports it, `drop` drops and `forward` sends the frames that it holds up; "
             "both drop what a device does not take",
     .fallback = "alert",
     .choices = watchdog_actions},
    {.name = "detection",
     .kind = Kind::time,
     .help = "a queue that was paused for this long is in a pause storm; an output whose device "
             "took nothing for this long is stalled",
     .fallback = "200ms",
     .lowest = millisecond,
     .highest = 60 * second},
    {.name = "restoration",
     .kind = Kind::time,
     .help = "a pause storm is over after this long without a pause; a device that takes frames "
             "for this long is no longer stalled",
     .fallback = "200ms",
     .lowest = millisecond,
     .highest = 60 * second},
    {.name = "longest_restoration",
     .kind = Kind::time,
     .help = "against flapping: a storm that returns within ten `restoration` doubles the time "
             "without a pause that ends it, up to this; 0: that time stays `restoration`",
     .fallback = "0",
     .lowest = millisecond,
     .highest = 600 * second,
     .or_zero = true},
    {.name = "poll",
     .kind = Kind::time,
     .help = "how often the watchdog looks; not above `detection`",
     .fallback = "200ms",
     .lowest = millisecond,
     .highest = 10 * second},
});

}  // namespace sluice::config::keys
