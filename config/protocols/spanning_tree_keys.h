// Spanning tree keys: the part of the schema (schema.h) about RSTP, of the switch and of a port;
// the ranges are those of 802.1D-2004 tables 17-1 to 17-3. For schema.cc and port_keys.h alone.
//
// Choices stand in the order of the enumeration that they are read into (configuration.h).
#pragma once

#include <array>

#include "config/choices.h"
#include "config/configuration.h"
#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto spanning_tree_modes = words_of<SpanningTreeMode>({
    {SpanningTreeMode::off, "off"},
    {SpanningTreeMode::rstp, "rstp"},
    {SpanningTreeMode::stp, "stp"},
});
inline constexpr auto spanning_tree_keys = std::to_array<Key>({
    {.name = "mode",
     .kind = Kind::choice,
     .help = "`rstp` (802.1Q clause 13), with STP to neighbours that speak only that; `stp` to "
             "all; `off`: none, and BPDUs are handled by `bpdus`",
     .fallback = "off",
     .choices = spanning_tree_modes},
    {.name = "priority",
     .kind = Kind::whole,
     .help = "priority of the bridge, a multiple of 4096; the bridge with the lowest becomes the "
             "root, of two the one with the lower address",
     .fallback = "32768",
     .lowest = 0,
     .highest = 61440},
    {.name = "hello",
     .kind = Kind::time,
     .help = "interval of BPDUs of a port; a neighbour that misses three is gone",
     .fallback = "2s",
     .lowest = 1'000'000'000,
     .highest = 2'000'000'000},
    {.name = "max_age",
     .kind = Kind::time,
     .help = "as root: how old its information may become; each bridge adds a second",
     .fallback = "20s",
     .lowest = 6'000'000'000,
     .highest = 40'000'000'000},
    {.name = "forward_delay",
     .kind = Kind::time,
     .help = "as root: ports that cannot agree with their neighbour wait twice this long until "
             "they forward",
     .fallback = "15s",
     .lowest = 4'000'000'000,
     .highest = 30'000'000'000},
    {.name = "tx_hold_count",
     .kind = Kind::whole,
     .help = "BPDUs that a port may send in a burst, in addition to one a second",
     .fallback = "6",
     .lowest = 1,
     .highest = 10},
});

inline constexpr auto edge_choices = words_of<EdgePort>({
    {EdgePort::automatic, "auto"},
    {EdgePort::on, "on"},
    {EdgePort::off, "off"},
});
inline constexpr auto port_spanning_tree_keys = std::to_array<Key>({
    {.name = "cost",
     .kind = Kind::whole,
     .help = "cost of the path to the root by this port",
     .worked_out = "20 Tb/s by its speed, 2000 at 10G; of an aggregation by that of its members "
                   "together",
     .lowest = 1,
     .highest = 200'000'000},
    {.name = "priority",
     .kind = Kind::whole,
     .help = "priority of the port, a multiple of 16; of two equal paths the lower is taken",
     .fallback = "128",
     .lowest = 0,
     .highest = 240},
    {.name = "edge",
     .kind = Kind::choice,
     .help = "whether only hosts are connected, so that the port forwards at once: `on`, until a "
             "BPDU comes; `auto`, after 3 s without one; `off`",
     .fallback = "auto",
     .choices = edge_choices},
    {.name = "bpdu_guard",
     .kind = Kind::boolean,
     .help = "a BPDU shuts the port, until its link goes or `recovery` has passed",
     .fallback = "false"},
    {.name = "recovery",
     .kind = Kind::time,
     .help = "a port that was shut opens again after this long without a BPDU; 0: never by time",
     .fallback = "0s",
     .lowest = 1'000'000'000,
     .highest = 86'400'000'000'000,
     .or_zero = true},
    {.name = "bpdu_filter",
     .kind = Kind::boolean,
     .help =
         "the port sends no BPDUs and ignores those received: loops through it are not detected",
     .fallback = "false"},
    {.name = "root_guard",
     .kind = Kind::boolean,
     .help = "root guard (restrictedRole): the port discards while it receives superior BPDUs",
     .fallback = "false"},
});

}  // namespace sluice::config::keys
