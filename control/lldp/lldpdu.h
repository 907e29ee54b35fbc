// Lldpdu: what one LLDP frame says, read from octets and written to them (802.1AB-2016 clause 8).
//
// Chassis ID, Port ID and TTL come first, in this order and once; anything else, and a TLV that
// ends behind the frame, has the whole of it refused: half a frame says what nobody meant. An
// optional TLV with a fault is left out and counted, and so is one that may come once and comes
// again. Types and OUIs that nobody here knows are counted; of the latter the TLV is kept all the
// same, for whoever provides such TLVs to judge (organisational.h). What comes behind an End TLV is
// padding; a frame may end without one.
// Bound: O(octets); what is kept of a frame is at most its own octets and a few words a TLV.
// Not done here: addresses and tags of the frame (agent.h), how long it is believed
// (neighbour_table.h), how text is shown (text.h).
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
inline constexpr std::size_t longest_id = 255;         // octets of an id behind its subtype
inline constexpr std::size_t longest_address = 31;     // octets of a management address
inline constexpr std::size_t longest_object_id = 128;  // octets of what names its interface

// 802.1AB tables 8-2 and 8-3: what an id is. The first octet of `chassis_id` and `port_id`.
enum class ChassisIdKind : uint8_t {
    component = 1,
    interface_alias,
    port_component,
    mac_address,
    network_address,
    interface_name,
    local,
};
enum class PortIdKind : uint8_t {
    interface_alias = 1,
    port_component,
    mac_address,
    network_address,
    interface_name,
    agent_circuit,
    local,
};

// 802.1AB table 8-4.
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
    uint8_t numbering = 1;  // of the interface; 1: unknown
    uint32_t interface = 0;
    Octets object_id;

    friend bool operator==(const ManagementAddress&, const ManagementAddress&) = default;
};

struct Lldpdu {
    Octets chassis_id;  // with its kind in front
    Octets port_id;     // likewise
    uint16_t ttl = 0;   // seconds; 0: shutdown, forget this one now
    std::optional<std::string> port_description;
    std::optional<std::string> system_name;
    std::optional<std::string> system_description;
    std::optional<Capabilities> capabilities;
    std::vector<ManagementAddress> management_addresses;
    std::vector<OrganisationalTlv> organisational;

    friend bool operator==(const Lldpdu&, const Lldpdu&) = default;
};

// By the standard's names: statsTLVsDiscardedTotal, statsTLVsUnrecognizedTotal.
struct TlvCounts {
    uint64_t discarded = 0;
    uint64_t unrecognized = 0;
};

// Nothing: the frame is to be discarded.
std::optional<Lldpdu> read_lldpdu(std::span<const uint8_t> octets, TlvCounts& counts);

// Appends it to `octets` in `room` octets, 2 or more. False: the optional TLVs from the first on
// that did not fit were left out. Chassis ID, Port ID, TTL and End always go.
bool write_lldpdu(const Lldpdu& lldpdu, std::size_t room, Octets& octets);
// Shutdown (9.1.2.2): who it is, TTL 0 and no more.
void write_shutdown(const Lldpdu& lldpdu, Octets& octets);

}  // namespace sluice::lldp
