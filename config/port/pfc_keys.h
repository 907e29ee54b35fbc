// PFC keys: the part of the schema (schema.h) under `pfc` of a port. Used only by port_keys.h.
//
// Choices are in the order of the enumeration that they are converted to (types/settings.h).
#pragma once

#include <array>

#include "config/key_row.h"
#include "config/port/key_parts.h"
#include "config/port/pause_bit_keys.h"
#include "config/port/watchdog_keys.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice::config::keys {

inline constexpr auto pfc_keys = std::to_array<Key>({
    key(Kind::choice, "by",
        "what sends and obeys pauses (config/rules.md): `switch`, by pause frames; `nic`, the "
        "device, by a queue for each priority; `ring`: the switch receives nothing while a "
        "lossless priority has to pause",
        worked_out("`ring` for `vhost`, else `switch`"), pausers) |
        Is::restart | Is::by_meaning | Is::not_simulated | Needs::lossless,
    key(Kind::choice, "trigger",
        "which threshold pauses the peer: on what its own frames occupy (`ingress`), or on the "
        "depth of the queues of one output (`egress`)",
        "ingress", triggers) |
        Needs::lossless,
    key(Kind::size, "reserved", "octets reserved for each lossless priority of the port", "0B", 0,
        GiB) |
        Needs::lossless,
    key(Kind::share, "alpha",
        "pauses before `xoff`, at `reserved` plus this share of the free shared pool (with "
        "`trigger: egress` at this share alone); 0: only at `xoff`",
        "0", 1, 128 * 128) |
        Needs::lossless | Is::or_zero,
    key(Kind::size, "xoff", "a lossless priority that occupies this much pauses its peer",
        worked_out("a round trip (as of `xon`) above `xon`, two at least: 128KiB at 10G"), 0, GiB) |
        Needs::lossless,
    key(Kind::size, "xon", "the priority resumes its peer at this or less; not above `xoff`",
        worked_out("what leaves in a round trip, from `speed`, `mtu`, `cable` and `response`; at "
                   "least 64KiB, at most half of a configured `xoff`"),
        0, GiB) |
        Needs::lossless,
    key(Kind::size, "xon_offset",
        "resumes the peer also at this much below the level that paused it, if that is higher than "
        "`xon`; 0: only at `xon`",
        "0B", 0, GiB) |
        Needs::lossless,
    key(Kind::size, "headroom",
        "reserved for frames that the peer still sends after an XOFF; no less than the default",
        worked_out("from `speed`, `mtu`, `cable`, `response`, `relay_delay` and `buffer.cell`"), 0,
        GiB) |
        Needs::lossless,
    key(Kind::length, "cable", "length of the cable to the peer", "5m", 0, 40'000 * kilometre),
    key(Kind::time, "response",
        "from an XOFF being due until the peer is silent: its response time and how late this "
        "switch polls",
        "20us", 0, second),
    key(Kind::time, "relay_delay",
        "one-way delay of pauses that are relayed from the peer to the sender; `headroom` has room "
        "for twice that",
        "0", 0, second) |
        Needs::lossless,
    key(Kind::whole, "pause",
        "duration of one XOFF, in quanta of 512 bit times; refreshed at half of it", "65535", 1,
        65535) |
        Needs::lossless,
    key(Kind::map, "bits", "numbers of priorities in pause frames, if the computed ones are wrong",
        {}, pause_bit_keys) |
        Is::not_simulated,
    key(Kind::list, "peer", "the only sources of pause frames that are obeyed",
        worked_out("any source; with `strict` the neighbour"), a_station, 1, 4) |
        Is::distinct | Is::or_one,
    key(Kind::boolean, "strict",
        "obey pause frames only of the neighbour, whose addresses LLDP shows, and of `peer`",
        "false"),
    key(Kind::boolean, "link_pause", "obey 802.3x as well, which pauses every priority", "false"),
    key(Kind::boolean, "asymmetric",
        "obey pauses of all priorities, lossy ones too, and send only those of `lossless`",
        "false"),
    key(Kind::whole, "rx_limit", "XOFFs obeyed a second; 0: all", "0", 0, giga) | Needs::pauses,
    key(Kind::whole, "tx_limit",
        "pause frames sent a second, XOFF excepted, which does not wait; 0: no limit", "0", 0,
        giga) |
        Needs::lossless,
    key(Kind::choice, "unproved",
        "what happens if the device was never seen to receive and send pause frames (`pfc_rx` and "
        "`pfc_tx` of `sluice show ports`): `warn`, `refuse` to start, or `allow`",
        "warn", unproved) |
        Is::not_simulated | Needs::pauses,
    key(Kind::map, "watchdog",
        "against a peer that never stops pausing, or a device that takes no frames", {},
        watchdog_keys),
});

}  // namespace sluice::config::keys
