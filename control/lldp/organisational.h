// Organisational TLVs: the organisationally specific TLVs (IEEE 802.1AB 8.6) that an LLDP agent
// carries for other protocols, such as DCBX, without interpreting them. These types are the whole
// interface between an agent and such a protocol.
//
// A neighbour's TLVs are in the order of its last frame, those of unknown OUIs included; the
// protocol skips what it does not know. There are no callbacks: when the neighbours of a port
// change, LldpManager calls `TlvProvider::neighbours` and gives the returned TLVs to the port's
// agent. The agent sends them at once if they differ from the TLVs that it sent before.
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

// The information string of a TLV has at most 511 octets, of which OUI and subtype are four.
inline constexpr std::size_t longest_organisational = 507;

struct OrganisationalTlv {
    uint32_t oui = 0;  // 24 bits; the first octet on the wire is the most significant: 0x0080C2
    uint8_t subtype = 0;
    std::vector<uint8_t> payload;  // after the subtype

    friend bool operator==(const OrganisationalTlv&, const OrganisationalTlv&) = default;
};

// The TLVs of one neighbour. A neighbour is identified by its chassis ID and port ID.
struct OrganisationalNeighbour {
    MacAddress source;                // source address of the neighbour's last frame
    std::vector<uint8_t> chassis_id;  // the first octet is the subtype, as on the wire
    std::vector<uint8_t> port_id;     // the first octet is the subtype, as on the wire
    std::vector<OrganisationalTlv> tlvs;
};

// Interface of a protocol that the LLDP of one port carries.
class TlvProvider {
  public:
    virtual ~TlvProvider() = default;

    // Called with all neighbours of the port after one was added, changed or removed. The list is
    // empty if the link is down or LLDP does not receive. Returns all TLVs that the port sends from
    // then on, in that order.
    virtual std::vector<OrganisationalTlv> neighbours(
        std::span<const OrganisationalNeighbour> neighbours, Nanos now) = 0;
    // Returns all TLVs that the port sends now. They may change without a call of `neighbours`, for
    // example after new settings.
    [[nodiscard]] virtual std::vector<OrganisationalTlv> to_send() const = 0;
};

}  // namespace sluice::lldp
