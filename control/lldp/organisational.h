// Organisational TLVs: the organisationally specific TLVs (IEEE 802.1AB 8.6) that an LLDP agent
// carries for other protocols, such as DCBX, without interpreting them. These types are the whole
// interface between an agent and such a protocol.
//
// A neighbour's TLVs are in the order of its last frame, those of unknown OUIs included; the
// protocol skips what it does not know. There are no callbacks: when the neighbours of a port
// change, LldpManager calls `TlvProvider::neighbours` and gives the TLVs that it returns to the
// port's agent, which sends them at once if they differ from the last ones.
// Bound: `longest_organisational` octets a TLV; for each port, the TLVs of one frame from each of
// `most_neighbours` neighbours (neighbour_table.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dataplane/types/address.h"
#include "dataplane/types/units.h"

namespace sluice::lldp {

// Octets after OUI and subtype: the information string of a TLV has at most 511, OUI and subtype
// included.
inline constexpr std::size_t longest_organisational = 507;

struct OrganisationalTlv {
    uint32_t oui = 0;  // 24 bits, first octet on the wire the most significant: 0x0080C2
    uint8_t subtype = 0;
    std::vector<uint8_t> payload;  // after the subtype

    friend bool operator==(const OrganisationalTlv&, const OrganisationalTlv&) = default;
};

// The TLVs of one neighbour. Two are the same neighbour if chassis ID and port ID are the same.
struct OrganisationalNeighbour {
    MacAddress source;                // of its last frame
    std::vector<uint8_t> chassis_id;  // its first octet is the subtype, as on the wire
    std::vector<uint8_t> port_id;     // its first octet is the subtype, as on the wire
    std::vector<OrganisationalTlv> tlvs;
};

// A protocol that is carried by the LLDP of one port.
class TlvProvider {
  public:
    virtual ~TlvProvider() = default;

    // Called after a neighbour was added, changed or removed, with all neighbours of the port: none
    // if the link is down or LLDP does not receive. Returns all TLVs that the port is to send from
    // now on, in that order.
    virtual std::vector<OrganisationalTlv> neighbours(
        std::span<const OrganisationalNeighbour> neighbours, Nanos now) = 0;
    // All TLVs that the port is to send now. May change without a call of `neighbours`, such as
    // after new settings.
    [[nodiscard]] virtual std::vector<OrganisationalTlv> to_send() const = 0;
};

}  // namespace sluice::lldp
