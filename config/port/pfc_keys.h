// PFC keys: the part of the schema (schema.h) that stands under `pfc` of a port. For port_keys.h
// alone.
//
// Choices stand in the order of the enumeration that they are read into (dataplane/settings.h).
#pragma once

#include <array>

#include "config/port/key_parts.h"
#include "config/port/pause_bit_keys.h"
#include "config/port/watchdog_keys.h"
#include "config/schema.h"
#include "dataplane/limits.h"
#include "dataplane/settings.h"

namespace sluice::config::keys {

inline constexpr auto pfc_keys = std::to_array<Key>({
    {.name = "by",
     .kind = Kind::choice,
     .help =
         "who pauses the peer and obeys it: `switch`, by pause frames; `nic`, the device, by a "
         "queue for each priority: `ring` and `memif` with `queues=8`, and the NICs that "
         "config/nics.md names; `ring`, the switch, which takes nothing from the device, of any "
         "priority, while a lossless one is to pause: for peers that obey no pauses, by `vhost` "
         "(its default), `memif`, `ring`, `af_packet` and `tap`",
     .worked_out = "`ring` for `vhost`, else `switch`",
     .restart = true,
     .by_meaning = true,
     .simulated = false,
     .needs = Needs::lossless,
     .choices = pausers},
    {.name = "trigger",
     .kind = Kind::choice,
     .help = "whose level pauses the peer: what its own frames hold (`ingress`), or how deep the "
             "queues of one output are (`egress`)",
     .fallback = "ingress",
     .needs = Needs::lossless,
     .choices = triggers},
    {.name = "reserved",
     .kind = Kind::size,
     .help = "of each lossless priority of the port, which nobody else may take",
     .fallback = "0B",
     .needs = Needs::lossless,
     .lowest = 0,
     .highest = GiB},
    {.name = "alpha",
     .kind = Kind::share,
     .help = "pauses before `xoff`, at `reserved` and this much of the free shared pool, an output "
             "(`egress`) at this much alone; 0: at `xoff` alone",
     .fallback = "0",
     .needs = Needs::lossless,
     .lowest = 1,
     .highest = 128 * 128,
     .or_zero = true},
    {.name = "xoff",
     .kind = Kind::size,
     .help = "a lossless priority that holds this much pauses its peer",
     .worked_out = "a round trip (as of `xon`) above `xon`, two at least: 128KiB at 10G",
     .needs = Needs::lossless,
     .lowest = 0,
     .highest = GiB},
    {.name = "xon",
     .kind = Kind::size,
     .help = "it resumes its peer at this or less; not above `xoff`",
     .worked_out =
         "what leaves in a round trip, from `speed`, `mtu`, `cable` and `response`; 64KiB "
         "at least, half of a written `xoff` at most",
     .needs = Needs::lossless,
     .lowest = 0,
     .highest = GiB},
    {.name = "xon_offset",
     .kind = Kind::size,
     .help = "or at this much below what paused it, if that is higher; 0: at `xon` alone",
     .fallback = "0B",
     .needs = Needs::lossless,
     .lowest = 0,
     .highest = GiB},
    {.name = "headroom",
     .kind = Kind::size,
     .help = "set aside for what a peer still sends after an XOFF; no less than that",
     .worked_out = "from `speed`, `mtu`, `cable`, `response`, `relay_delay` and `buffer.cell`",
     .needs = Needs::lossless,
     .lowest = 0,
     .highest = GiB},
    {.name = "cable",
     .kind = Kind::length,
     .help = "length of the cable to the peer",
     .fallback = "5m",
     .lowest = 0,
     .highest = 40'000 * kilometre},
    {.name = "response",
     .kind = Kind::time,
     .help = "from an XOFF being due until the peer is silent: its response time and how late this "
             "switch polls",
     .fallback = "20us",
     .lowest = 0,
     .highest = second},
    {.name = "relay_delay",
     .kind = Kind::time,
     .help = "one way, of pauses that are relayed on from the peer to who sends; `headroom` has "
             "room for twice that",
     .fallback = "0",
     .needs = Needs::lossless,
     .lowest = 0,
     .highest = second},
    {.name = "pause",
     .kind = Kind::whole,
     .help = "how long one XOFF asks for, in quanta of 512 bit times; refreshed at half of it",
     .fallback = "65535",
     .needs = Needs::lossless,
     .lowest = 1,
     .highest = 65535},
    {.name = "bits",
     .kind = Kind::map,
     .help = "by which numbers pause frames name priorities, where these are not worked out right",
     .simulated = false,
     .inside = pause_bit_keys},
    {.name = "peer",
     .kind = Kind::list,
     .help = "the only sources of pause frames that are obeyed",
     .worked_out = "any source; with `strict` the neighbour",
     .inside = a_station,
     .fewest = 1,
     .most = 4,
     .distinct = true,
     .or_one = true},
    {.name = "strict",
     .kind = Kind::boolean,
     .help = "obey pause frames only of the neighbour, whose addresses LLDP shows, and of `peer`",
     .fallback = "false"},
    {.name = "link_pause",
     .kind = Kind::boolean,
     .help = "obey 802.3x as well, which pauses every priority",
     .fallback = "false"},
    {.name = "asymmetric",
     .kind = Kind::boolean,
     .help = "obey pauses of all priorities, lossy ones too, and send those of `lossless` alone",
     .fallback = "false"},
    {.name = "rx_limit",
     .kind = Kind::whole,
     .help = "XOFFs a second that are obeyed; 0: all",
     .fallback = "0",
     .needs = Needs::pauses,
     .lowest = 0,
     .highest = giga},
    {.name = "tx_limit",
     .kind = Kind::whole,
     .help = "pause frames a second that are sent, but for XOFF, which does not wait; 0: no limit",
     .fallback = "0",
     .needs = Needs::lossless,
     .lowest = 0,
     .highest = giga},
    {.name = "unproved",
     .kind = Kind::choice,
     .help = "where nobody has seen that the device receives and sends pause frames (`pfc_rx` and "
             "`pfc_tx` of `sluice show ports`): `warn`, `refuse` to start, or `allow`",
     .fallback = "warn",
     .simulated = false,
     .needs = Needs::pauses,
     .choices = unproved},
    {.name = "watchdog",
     .kind = Kind::map,
     .help = "against a peer that never stops pausing, or takes nothing",
     .inside = watchdog_keys},
});

}  // namespace sluice::config::keys
