// Organisational: what LLDP carries for others: organisationally specific TLVs (802.1AB 8.6), which
// it does not read. The only thing that an agent of LLDP and a protocol on top of it, such as DCBX,
// know of each other.
//
// A neighbour's TLVs come in the order of its last frame. Those with an OUI that nobody here knows
// are among them: whoever gets them skips those. Values are returned, nothing is called back: on a
// change of a port's neighbours its daemon asks `TlvProvider::neighbours` and gives what that
// returns to the port's agent, which tells the peer at once if it is not what it sends already.
// Bound: `longest_organisational` octets a TLV, and of a port a frame of them from each of
// `most_neighbours` (neighbour_table.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dataplane/address.h"
#include "dataplane/units.h"

namespace sluice::lldp {

// Octets behind OUI and subtype: a TLV has 511.
inline constexpr std::size_t longest_organisational = 507;

struct OrganisationalTlv {
    uint32_t oui = 0;  // 24 bits, the first on the wire the most significant: 0x0080C2
    uint8_t subtype = 0;
    std::vector<uint8_t> payload;  // behind the subtype

    friend bool operator==(const OrganisationalTlv&, const OrganisationalTlv&) = default;
};

// What one neighbour says. Two are the same if they name the same chassis and port.
struct OrganisationalNeighbour {
    MacAddress source;                // of its last frame
    std::vector<uint8_t> chassis_id;  // with its subtype in front, as on the wire
    std::vector<uint8_t> port_id;     // likewise
    std::vector<OrganisationalTlv> tlvs;
};

// A protocol that speaks by TLVs of one port's LLDP.
class TlvProvider {
  public:
    virtual ~TlvProvider() = default;

    // All neighbours of the port, after one came, went, or says something else. Returns all that
    // the port is to send from now on, in that order. Empty also when the link is down, or LLDP
    // does not listen.
    virtual std::vector<OrganisationalTlv> neighbours(
        std::span<const OrganisationalNeighbour> neighbours, Nanos now) = 0;
    // The same, for what the provider has decided by itself, such as after new settings.
    [[nodiscard]] virtual std::vector<OrganisationalTlv> to_send() const = 0;
};

}  // namespace sluice::lldp
