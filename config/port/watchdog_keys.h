// Watchdog keys: the part of the schema (schema.h) under `pfc.watchdog` of a port. Used only by
// port_keys.h.
#pragma once

#include "config/key_row.h"
#include "config/port/key_parts.h"

namespace sluice::config::keys {

inline constexpr auto watchdog_keys = std::to_array<Key>({
    key(Kind::choice, "action",
        "action against a peer that pauses without end, and a device that takes no frames: `alert` "
        "reports it, `drop` drops and `forward` sends the frames that it holds up; both drop what "
        "a device does not take",
        "alert", watchdog_actions),
    key(Kind::time, "detection",
        "a queue that was paused for this long is in a pause storm; an output whose device "
        "accepted no frames for this long is stalled",
        "200ms", millisecond, 60 * second),
    key(Kind::time, "restoration",
        "a pause storm is over after this long without a pause; a device that takes frames for "
        "this long is no longer stalled",
        "200ms", millisecond, 60 * second),
    key(Kind::time, "longest_restoration",
        "against flapping: a storm that returns within ten `restoration` doubles the time without "
        "a pause that ends it, up to this; 0: that time stays `restoration`",
        "0", millisecond, 600 * second) |
        Is::or_zero,
    key(Kind::time, "poll", "how often the watchdog looks; not above `detection`", "200ms",
        millisecond, 10 * second),
});

}  // namespace sluice::config::keys
