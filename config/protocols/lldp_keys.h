// LLDP keys: the part of the schema (schema.h) about LLDP: what the switch advertises to its
// neighbours. Used only by schema.cc and port_keys.h.
//
// Choices are in the order of the enumeration that they are converted to (configuration.h).
#pragma once

#include <array>

#include "config/choices.h"
#include "config/configuration.h"
#include "config/key_row.h"

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
    key(Kind::choice, "mode",
        "whether the port sends LLDP (`tx`), receives it (`rx`), both or neither", "both",
        lldp_modes),
    key(Kind::text, "port_id", "what LLDP calls the port; no two ports are called the same",
        worked_out("the port's `name`"), 0, 32),
    key(Kind::text, "description", "description of the port",
        worked_out("the port's own `description`, else its `name`"), 0, 255),
    key(Kind::list, "destinations",
        "group addresses that the port sends LLDP to: 01-80-C2-00-00-0E, -03 and -00; it receives "
        "LLDP at all of them",
        "[nearest_bridge]", a_destination, 1, lldp_destinations.size()) |
        Is::distinct,
});

inline constexpr auto lldp_keys = std::to_array<Key>({
    key(Kind::boolean, "enabled", "false: no port sends or receives LLDP, whatever its `lldp.mode`",
        "true"),
    key(Kind::time, "interval", "interval of LLDP frames of a port when nothing changes", "30s",
        1'000'000'000, 3'600'000'000'000),
    key(Kind::whole, "hold",
        "number of intervals after which neighbours forget a frame (time to live)", "4", 1, 100),
    key(Kind::text, "chassis_id",
        "identifier of the switch in LLDP: an address, or a name of your own",
        worked_out("the lowest address of a port at start"), 0, 32),
    key(Kind::text, "system_name", "name of the switch, as an operator knows it",
        worked_out("the host's name"), 0, 255),
    key(Kind::text, "system_description", "description of the switch",
        "Sluice, a lossless Ethernet switch in software", 0, 255),
    key(Kind::text, "management_address", "IPv4 or IPv6 address that manages the switch",
        worked_out("none is advertised"), 0, 45),
});

}  // namespace sluice::config::keys
