// Lacpdu: reads and writes frames of the slow protocols: LACPDUs (802.1AX-2014 6.4.2) and the
// marker PDUs of 6.5.
//
// Actor and partner information must come first, with the standard's type and length; otherwise the
// whole frame is refused. From a version above 1 only the fields of version 1 are read (6.4.2.3);
// reserved octets are ignored.
// Bound: O(1); 110 octets after the EtherType.
// Not done here: answering frames (receive_machine.h, port.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dataplane/types/address.h"

namespace sluice::lacp {

using Octets = std::vector<uint8_t>;

inline constexpr std::size_t header_octets = 14;
inline constexpr std::size_t pdu_octets = 110;  // after the EtherType

// Actor_State and Partner_State (6.4.2.3 l).
using State = uint8_t;
namespace state_bits {
inline constexpr State activity = 1U << 0;         // active: sends LACPDUs unconditionally
inline constexpr State timeout = 1U << 1;          // short: requests a LACPDU a second
inline constexpr State aggregation = 1U << 2;      // may be aggregated with other ports
inline constexpr State synchronization = 1U << 3;  // the port is in the aggregation of its key
inline constexpr State collecting = 1U << 4;
inline constexpr State distributing = 1U << 5;
inline constexpr State defaulted = 1U << 6;  // no LACPDU was received
inline constexpr State expired = 1U << 7;    // the last LACPDU is too old
}  // namespace state_bits

// The information about one end of the link in a LACPDU.
struct PortInfo {
    uint16_t system_priority = 0;
    MacAddress system;
    uint16_t key = 0;
    uint16_t port_priority = 0;
    uint16_t port = 0;
    State state = 0;

    [[nodiscard]] bool has(State bits) const { return (state & bits) == bits; }
    void set(State bits, bool on) { state = static_cast<State>(on ? state | bits : state & ~bits); }
    friend bool operator==(const PortInfo&, const PortInfo&) = default;
};

struct Lacpdu {
    PortInfo actor;                    // the sender
    PortInfo partner;                  // the information that the sender last received
    uint16_t collector_max_delay = 0;  // in 10 us

    friend bool operator==(const Lacpdu&, const Lacpdu&) = default;
};

// A marker information PDU or a marker response PDU, which differ only in their type.
struct Marker {
    bool is_response = false;
    uint16_t port = 0;
    MacAddress system;
    uint32_t transaction = 0;

    friend bool operator==(const Marker&, const Marker&) = default;
};

enum class PduKind : uint8_t { lacp, marker, unknown };

// Returns the kind of a PDU, given its octets after the EtherType. Frames of other subtypes belong
// to other protocols, or to none.
PduKind kind_of(std::span<const uint8_t> pdu);
// Return empty if the frame is to be discarded (IllegalRx).
std::optional<Lacpdu> read_lacpdu(std::span<const uint8_t> pdu);
std::optional<Marker> read_marker(std::span<const uint8_t> pdu);

// Return a whole frame from `source`, without FCS.
Octets frame_of(const Lacpdu& lacpdu, MacAddress source);
Octets frame_of(const Marker& marker, MacAddress source);

}  // namespace sluice::lacp
