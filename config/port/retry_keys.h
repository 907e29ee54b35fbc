// Retry keys: the part of the schema (schema.h) under `retry` of a port. Used only by port_keys.h.
#pragma once

#include <array>

#include "config/port/key_parts.h"
#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto retry_keys = std::to_array<Key>({
    {.name = "enabled",
     .kind = Kind::boolean,
     .help = "frames of lossless priorities that the link lost are sent again, where the peer has "
             "this as well, by LLDP; on the wire they are 32 octets longer",
     .fallback = "false",
     .restart = true,
     .simulated = false},
    {.name = "buffer",
     .kind = Kind::size,
     .help = "for frames that were sent and not acknowledged; those behind them wait. What the "
             "link carries in a round trip, and what the peer is late, at the least",
     .fallback = "1MiB",
     .restart = true,
     .simulated = false,
     .needs = Needs::retry,
     .lowest = 64 * KiB,
     .highest = 64 * MiB},
    {.name = "resequence",
     .kind = Kind::size,
     .help =
         "for frames that came behind a lost one, until that has come again, each counted as 256 "
         "octets at the least; 0: they come again as well (go-back-N)",
     .worked_out = "as much as `buffer`",
     .restart = true,
     .simulated = false,
     .needs = Needs::retry,
     .lowest = 64 * KiB,
     .highest = 64 * MiB,
     .or_zero = true},
    {.name = "replay_timer",
     .kind = Kind::time,
     .help = "the oldest frame is sent again when nothing was acknowledged for so long; doubles, "
             "up to 64 times, while that does not help",
     .worked_out =
         "1ms, a round trip by `pfc.cable` and `pfc.response`, `buffer` at `speed` (else 1G)",
     .simulated = false,
     .needs = Needs::retry,
     .lowest = 100'000,
     .highest = 10 * second},
    {.name = "replay_count_max",
     .kind = Kind::whole,
     .help = "how often frames are sent again with no acknowledgement in between; then all that "
             "are kept are given up, and the link goes on without them",
     .fallback = "64",
     .simulated = false,
     .needs = Needs::retry,
     .lowest = 1,
     .highest = 1'000'000},
    {.name = "data_age",
     .kind = Kind::time,
     .help = "likewise when nothing was acknowledged for so long, pauses not counted; 0: only "
             "`replay_count_max` counts",
     .fallback = "0",
     .simulated = false,
     .needs = Needs::retry,
     .lowest = millisecond,
     .highest = 60 * second,
     .or_zero = true},
    {.name = "init",
     .kind = Kind::choice,
     .help = "frames of its priorities before a link's first session, unless LLDP says that the "
             "peer has none: `best_effort`: they go as they are; `block`: they wait; `discard`: "
             "they are dropped (`no_retry_session`)",
     .fallback = "best_effort",
     .simulated = false,
     .needs = Needs::retry,
     .choices = retry_actions},
    {.name = "flush",
     .kind = Kind::choice,
     .help = "likewise between the end of a session and the next one",
     .fallback = "best_effort",
     .simulated = false,
     .needs = Needs::retry,
     .choices = retry_actions},
});

}  // namespace sluice::config::keys
