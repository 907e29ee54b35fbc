// Aggregation keys: the part of the schema (schema.h) under `aggregations[]`. Used only by
// schema.cc.
//
// Choices are in the order of the enumeration that they are converted to (types/settings.h).
#pragma once

#include <array>
#include <string_view>

#include "config/choices.h"
#include "config/configuration.h"
#include "config/key_row.h"
#include "config/port/key_parts.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice::config::keys {

inline constexpr auto distribution_hashes = words_of<DistributionHash>({
    {DistributionHash::l2, "l2"},
    {DistributionHash::l3, "l3"},
    {DistributionHash::l4, "l4"},
});
inline constexpr auto lacp_modes = words_of<LacpMode>({
    {LacpMode::off, "off"},
    {LacpMode::active, "active"},
    {LacpMode::passive, "passive"},
});
inline constexpr std::array<std::string_view, 2> lacp_timeouts = {"long", "short"};

inline constexpr auto lacp_keys = std::to_array<Key>({
    key(Kind::choice, "mode",
        "whether LACP selects the members that carry frames: `active` sends first, `passive` only "
        "after the peer; `off`: every member with link carries frames",
        "off", lacp_modes),
    key(Kind::choice, "timeout",
        "interval of LACPDUs, and the time after which a silent peer is removed: 1 s and 3 s "
        "(`short`), or 30 s and 90 s (`long`)",
        "long", lacp_timeouts),
    key(Kind::whole, "system_priority",
        "system priority; of two ends that differ the one with the lower number decides", "32768",
        0, 65535),
});

inline constexpr auto aggregation_keys = std::to_array<Key>({
    key(Kind::name, "name", "unique among ports and aggregations") | Is::required,
    key(Kind::list, "ports", "names of its members; each is in at most one aggregation", {},
        a_port_name, 1, max_ports) |
        Is::required | Is::distinct,
    key(Kind::choice, "hash",
        "headers that choose the member for a frame: addresses (`l2`), IP addresses (`l3`), those "
        "and the ports of TCP and UDP (`l4`); a frame without them uses the one before",
        "l4", distribution_hashes),
    key(Kind::map, "lacp", "the link aggregation control protocol (802.1AX)", {}, lacp_keys),
});
inline constexpr std::array<Key, 1> an_aggregation = {
    {{.name = "aggregations", .kind = Kind::map, .inside = aggregation_keys}}};

}  // namespace sluice::config::keys
