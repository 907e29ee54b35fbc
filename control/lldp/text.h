// Text: text from neighbours, made safe to display. Neighbours are not trusted: the octets need not
// be text, and may hold sequences that do harm on a terminal or in JSON.
//
// Printable UTF-8 is kept. A backslash is doubled. Control characters, characters that change the
// direction of writing, and octets that are not UTF-8 (RFC 3629) become \xNN. So the result is
// valid UTF-8 and stays on one line. NULs at the end are left out: vendors pad strings with them.
// Bound: four characters for each octet.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "control/lldp/lldpdu.h"

namespace sluice::lldp {

// Names of the ID subtypes and of the capability bits, by number (802.1AB tables 8-2 to 8-4).
inline constexpr std::array<std::string_view, 8> chassis_id_subtypes = {
    "reserved",    "component",       "interface_alias", "port_component",
    "mac_address", "network_address", "interface_name",  "local"};
inline constexpr std::array<std::string_view, 8> port_id_subtypes = {
    "reserved",        "interface_alias", "port_component", "mac_address",
    "network_address", "interface_name",  "agent_circuit",  "local"};
inline constexpr std::array<std::string_view, 11> capability_names = {
    "other",  "repeater", "bridge", "wlan",   "router", "telephone",
    "docsis", "station",  "c_vlan", "s_vlan", "tpmr"};

std::string printable(std::string_view text);

// Return IDs as text; the first octet is the subtype. Addresses are written as aa:bb:cc:dd:ee:ff,
// 192.0.2.1 or 2001:db8::1, other IDs as printable text.
std::string chassis_text(std::span<const uint8_t> chassis_id);
std::string port_text(std::span<const uint8_t> port_id);
std::string_view chassis_id_subtype_name(
    std::span<const uint8_t> chassis_id);  // returns a name such as `mac_address`
std::string_view port_id_subtype_name(std::span<const uint8_t> port_id);
std::string address_text(const ManagementAddress& address);

}  // namespace sluice::lldp
