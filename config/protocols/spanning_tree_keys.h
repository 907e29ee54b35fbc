// Spanning tree keys: the part of the schema (schema.h) about RSTP, of the switch and of a port;
// the ranges are those of 802.1D-2004 tables 17-1 to 17-3. Used only by schema.cc and port_keys.h.
//
// Choices are in the order of the enumeration that they are converted to (configuration.h).
#pragma once

#include <array>

#include "config/choices.h"
#include "config/configuration.h"
#include "config/key_row.h"

namespace sluice::config::keys {

inline constexpr auto spanning_tree_modes = words_of<SpanningTreeMode>({
    {SpanningTreeMode::off, "off"},
    {SpanningTreeMode::rstp, "rstp"},
    {SpanningTreeMode::stp, "stp"},
});
inline constexpr auto spanning_tree_keys = std::to_array<Key>({
    key(Kind::choice, "mode",
        "`rstp` (802.1Q clause 13), with STP to neighbours that speak only that; `stp` to all; "
        "`off`: none, and BPDUs are handled by `bpdus`",
        "off", spanning_tree_modes),
    key(Kind::whole, "priority",
        "priority of the bridge, a multiple of 4096; the bridge with the lowest becomes the root, "
        "of two the one with the lower address",
        "32768", 0, 61440),
    key(Kind::time, "hello",
        "interval of BPDUs of a port; a neighbour is removed after three missed ones", "2s",
        1'000'000'000, 2'000'000'000),
    key(Kind::time, "max_age",
        "as root: how old its information may become; each bridge adds a second", "20s",
        6'000'000'000, 40'000'000'000),
    key(Kind::time, "forward_delay",
        "as root: ports that cannot agree with their neighbour wait twice this long until they "
        "forward",
        "15s", 4'000'000'000, 30'000'000'000),
    key(Kind::whole, "tx_hold_count",
        "BPDUs that a port may send in a burst, in addition to one a second", "6", 1, 10),
});

inline constexpr auto edge_choices = words_of<EdgePort>({
    {EdgePort::automatic, "auto"},
    {EdgePort::on, "on"},
    {EdgePort::off, "off"},
});
inline constexpr auto port_spanning_tree_keys = std::to_array<Key>({
    key(Kind::whole, "cost", "cost of the path to the root by this port",
        worked_out(
            "20 Tb/s by its speed, 2000 at 10G; of an aggregation by that of its members together"),
        1, 200'000'000),
    key(Kind::whole, "priority",
        "priority of the port, a multiple of 16; of two equal paths the lower is taken", "128", 0,
        240),
    key(Kind::choice, "edge",
        "whether only hosts are connected, so that the port forwards at once: `on`, until a BPDU "
        "is received; `auto`, after 3 s without one; `off`",
        "auto", edge_choices),
    key(Kind::boolean, "bpdu_guard",
        "a received BPDU shuts the port, until its link goes down or `recovery` has passed",
        "false"),
    key(Kind::time, "recovery",
        "a port that was shut opens again after this long without a BPDU; 0: never by time", "0s",
        1'000'000'000, 86'400'000'000'000) |
        Is::or_zero,
    key(Kind::boolean, "bpdu_filter",
        "the port sends no BPDUs and ignores those received: loops through it are not detected",
        "false"),
    key(Kind::boolean, "root_guard",
        "root guard (restrictedRole): the port discards while it receives superior BPDUs", "false"),
});

}  // namespace sluice::config::keys
