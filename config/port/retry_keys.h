// Retry keys: the part of the schema (schema.h) under `retry` of a port. Used only by port_keys.h.
#pragma once

#include <array>

#include "config/key_row.h"
#include "config/port/key_parts.h"

namespace sluice::config::keys {

inline constexpr auto retry_keys = std::to_array<Key>({
    key(Kind::boolean, "enabled",
        "frames of lossless priorities that the link lost are sent again, where the peer has this "
        "as well, by LLDP; on the wire they are 32 octets longer",
        "false") |
        Is::restart | Is::not_simulated,
    key(Kind::size, "buffer",
        "for frames that were sent and not acknowledged; when it is full, later frames wait. At "
        "least what the link carries in a round trip and in the response time of the peer",
        "1MiB", 64 * KiB, 64 * MiB) |
        Is::restart | Is::not_simulated | Needs::retry,
    key(Kind::size, "resequence",
        "for frames received after a lost one, until that is received; each counts as at least 256 "
        "octets; 0: they are resent too (go-back-N)",
        worked_out("as much as `buffer`"), 64 * KiB, 64 * MiB) |
        Is::restart | Is::not_simulated | Needs::retry | Is::or_zero,
    key(Kind::time, "replay_timer",
        "the oldest frame is resent when nothing was acknowledged for this long; doubles after "
        "each timeout, up to 64 times this value",
        worked_out(
            "1ms, a round trip by `pfc.cable` and `pfc.response`, `buffer` at `speed` (else 1G)"),
        100'000, 10 * second) |
        Is::not_simulated | Needs::retry,
    key(Kind::whole, "replay_count_max",
        "how often a frame is resent without an acknowledgement; then all kept frames are given "
        "up, and the link continues without them",
        "64", 1, 1'000'000) |
        Is::not_simulated | Needs::retry,
    key(Kind::time, "data_age",
        "kept frames are also given up when nothing was acknowledged for this long, pauses not "
        "counted; 0: only `replay_count_max` applies",
        "0", millisecond, 60 * second) |
        Is::not_simulated | Needs::retry | Is::or_zero,
    key(Kind::choice, "init",
        "frames of its priorities before a link's first session, unless LLDP shows that the peer "
        "has no retry: `best_effort`: they are sent without retry; `block`: they wait; `discard`: "
        "they are dropped (`no_retry_session`)",
        "best_effort", retry_actions) |
        Is::not_simulated | Needs::retry,
    key(Kind::choice, "flush", "likewise between the end of a session and the next one",
        "best_effort", retry_actions) |
        Is::not_simulated | Needs::retry,
});

}  // namespace sluice::config::keys
