// LLDP keys: the part of the schema (schema.h) that says what the switch advertises to its
// neighbours. For schema.cc and port_keys.h alone.
//
// Choices stand in the order of the enumeration that they are read into (configuration.h).
#pragma once

#include <array>

#include "config/choices.h"
#include "config/configuration.h"
#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto lldp_modes = words_of<LldpMode>({
    {LldpMode::disabled, "disabled"},
    {LldpMode::tx, "tx"},
    {LldpMode::rx, "rx"},
    {LldpMode::both, "both"},
});

inline constexpr auto lldp_destinations = words_of<LldpDestination>({
    {LldpDestination::nearest_bridge, "nearest_bridge"},
    {LldpDestination::nearest_non_tpmr_bridge, "nearest_non_tpmr_bridge"},
    {LldpDestination::nearest_customer_bridge, "nearest_customer_bridge"},
});
inline constexpr std::array<Key, 1> a_destination = {
    {{.name = "destination", .kind = Kind::choice, .choices = lldp_destinations}}};

inline constexpr auto port_lldp_keys = std::to_array<Key>({
    {.name = "mode",
     .kind = Kind::choice,
     .help = "whether the port sends LLDP (`tx`), receives it (`rx`), both or neither",
     .fallback = "both",
     .choices = lldp_modes},
    {.name = "port_id",
     .kind = Kind::text,
     .help = "what LLDP calls the port; no two ports are called the same",
     .worked_out = "the port's `name`",
     .highest = 32},
    {.name = "description",
     .kind = Kind::text,
     .help = "description of the port",
     .worked_out = "the port's own `description`, else its `name`",
     .highest = 255},
    {.name = "destinations",
     .kind = Kind::list,
     .help = "group addresses that the port sends LLDP to: 01-80-C2-00-00-0E, -03 and -00; it "
             "receives LLDP at all of them",
     .fallback = "[nearest_bridge]",
     .inside = a_destination,
     .fewest = 1,
     .most = lldp_destinations.size(),
     .distinct = true},
});

inline constexpr auto lldp_keys = std::to_array<Key>({
    {.name = "enabled",
     .kind = Kind::boolean,
     .help = "false: no port sends or receives LLDP, whatever its `lldp.mode`",
     .fallback = "true"},
    {.name = "interval",
     .kind = Kind::time,
     .help = "interval of LLDP frames of a port when nothing changes",
     .fallback = "30s",
     .lowest = 1'000'000'000,
     .highest = 3'600'000'000'000},
    {.name = "hold",
     .kind = Kind::whole,
     .help = "number of intervals after which neighbours forget a frame (time to live)",
     .fallback = "4",
     .lowest = 1,
     .highest = 100},
    {.name = "chassis_id",
     .kind = Kind::text,
     .help = "identifier of the switch in LLDP: an address, or a name of your own",
     .worked_out = "the lowest address of a port at start",
     .highest = 32},
    {.name = "system_name",
     .kind = Kind::text,
     .help = "name of the switch, as an operator knows it",
     .worked_out = "the host's name",
     .highest = 255},
    {.name = "system_description",
     .kind = Kind::text,
     .help = "description of the switch",
     .fallback = "Sluice, a lossless Ethernet switch in software",
     .highest = 255},
    {.name = "management_address",
     .kind = Kind::text,
     .help = "IPv4 or IPv6 address that manages the switch",
     .worked_out = "none is advertised",
     .highest = 45},
});

}  // namespace sluice::config::keys
