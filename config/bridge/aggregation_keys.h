// Aggregation keys: the part of the schema (schema.h) under `aggregations[]`. Used only by
// schema.cc.
//
// Choices are in the order of the enumeration that they are converted to (types/settings.h).
#pragma once

#include <array>
#include <string_view>

#include "config/choices.h"
#include "config/configuration.h"
#include "config/port/key_parts.h"
#include "config/schema.h"
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
    {.name = "mode",
     .kind = Kind::choice,
     .help = "whether LACP selects the members that carry frames: `active` sends first, `passive` "
             "only after the peer; `off`: every member with link carries frames",
     .fallback = "off",
     .choices = lacp_modes},
    {.name = "timeout",
     .kind = Kind::choice,
     .help = "interval of LACPDUs, and the time after which a silent peer is gone: 1 s and 3 s "
             "(`short`), or 30 s and 90 s (`long`)",
     .fallback = "long",
     .choices = lacp_timeouts},
    {.name = "system_priority",
     .kind = Kind::whole,
     .help = "system priority; of two ends that differ the one with the lower number decides",
     .fallback = "32768",
     .lowest = 0,
     .highest = 65535},
});

inline constexpr auto aggregation_keys = std::to_array<Key>({
    {.name = "name",
     .kind = Kind::name,
     .help = "unique among ports and aggregations",
     .required = true},
    {.name = "ports",
     .kind = Kind::list,
     .help = "names of its members; each is in one aggregation at the most",
     .required = true,
     .inside = a_port_name,
     .fewest = 1,
     .most = max_ports,
     .distinct = true},
    {.name = "hash",
     .kind = Kind::choice,
     .help = "headers that choose the member for a frame: addresses (`l2`), IP addresses (`l3`), "
             "those and the ports of TCP and UDP (`l4`); a frame without them uses the one before",
     .fallback = "l4",
     .choices = distribution_hashes},
    {.name = "lacp",
     .kind = Kind::map,
     .help = "the link aggregation control protocol (802.1AX)",
     .inside = lacp_keys},
});
inline constexpr std::array<Key, 1> an_aggregation = {
    {{.name = "aggregations", .kind = Kind::map, .inside = aggregation_keys}}};

}  // namespace sluice::config::keys
