// Lldpdu: one LLDPDU: parses its octets and writes them (IEEE 802.1AB-2016 clause 8).
//
// Chassis ID, Port ID and TTL TLVs come first, in this order and once each. Otherwise, or if a TLV
// is longer than the frame, the whole LLDPDU is discarded, since a part of it might mean something
// else. A malformed optional TLV is left out and counted; so is a second TLV of a kind that may
// appear only once. Unknown TLV types and OUIs are counted; TLVs of an unknown OUI are kept
// nevertheless for the provider of such TLVs (organisational.h). Octets after the End TLV are
// padding; the End TLV may be missing.
// Bound: O(octets) time; memory of at most the LLDPDU's own octets and a few words for each TLV.
// Not done here: Ethernet addresses and tags (agent.h), ageing (neighbour_table.h), text (text.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/lldp/organisational.h"

namespace sluice::lldp {

using Octets = std::vector<uint8_t>;

inline constexpr std::size_t longest_lldpdu = 1500;
inline constexpr std::size_t longest_text = 255;       // octets of a name or a description
inline constexpr std::size_t longest_id = 255;         // octets of an ID after its subtype
inline constexpr std::size_t longest_address = 31;     // octets of a management address
inline constexpr std::size_t longest_object_id = 128;  // octets of a management address' OID

// Chassis ID and port ID subtypes, 802.1AB tables 8-2 and 8-3.
enum class ChassisIdSubtype : uint8_t {
    component = 1,
    interface_alias,
    port_component,
    mac_address,
    network_address,
    interface_name,
    local,
};
enum class PortIdSubtype : uint8_t {
    interface_alias = 1,
    port_component,
    mac_address,
    network_address,
    interface_name,
    agent_circuit,
    local,
};

// System capability bits, 802.1AB table 8-4.
inline constexpr uint16_t bridge_capability = 1U << 2;

struct Capabilities {
    uint16_t system = 0;
    uint16_t enabled = 0;

    friend bool operator==(const Capabilities&, const Capabilities&) = default;
};

inline constexpr uint8_t ipv4_family = 1;  // IANA's address family numbers
inline constexpr uint8_t ipv6_family = 2;

struct ManagementAddress {
    uint8_t family = 0;
    Octets address;
    uint8_t interface_numbering = 1;  // 1 unknown, 2 ifIndex, 3 system port number
    uint32_t interface_number = 0;
    Octets object_id;  // OID

    friend bool operator==(const ManagementAddress&, const ManagementAddress&) = default;
};

struct Lldpdu {
    Octets chassis_id;  // the first octet is the subtype
    Octets port_id;     // the first octet is the subtype
    uint16_t ttl = 0;   // seconds; 0: shutdown LLDPDU, the neighbour is removed at once
    std::optional<std::string> port_description;
    std::optional<std::string> system_name;
    std::optional<std::string> system_description;
    std::optional<Capabilities> capabilities;
    std::vector<ManagementAddress> management_addresses;
    std::vector<OrganisationalTlv> organisational;

    friend bool operator==(const Lldpdu&, const Lldpdu&) = default;
};

// Counters by the standard's names: statsTLVsDiscardedTotal, statsTLVsUnrecognizedTotal.
struct TlvCounts {
    uint64_t discarded = 0;
    uint64_t unrecognized = 0;
};

// Reads the octets after the EtherType. Returns empty if the LLDPDU is malformed and discarded.
std::optional<Lldpdu> read_lldpdu(std::span<const uint8_t> octets, TlvCounts& counts);

// Appends the LLDPDU to `octets`. Chassis ID, Port ID, TTL and End are always written. The optional
// TLVs are written as far as the LLDPDU fits `room` octets (2 or more): the first one that does not
// fit and those after it are left out. Returns false if TLVs were left out.
bool write_lldpdu(const Lldpdu& lldpdu, std::size_t room, Octets& octets);
// Appends a shutdown LLDPDU (9.1.2.2): Chassis ID, Port ID, TTL 0 and End.
void write_shutdown(const Lldpdu& lldpdu, Octets& octets);

}  // namespace sluice::lldp
