// CreditTlv: the LLDP TLV by which a port says that it can do credit-based flow control, written
// and read, and what it says of the peer (README.md draws its octets).
// Bound: O(1) a TLV. Not done here: the updates that follow (dataplane/credits/credit_update.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "control/lldp/organisational.h"
#include "dataplane/credits/credit_end.h"
#include "dataplane/limits.h"

namespace sluice::control {

inline constexpr uint32_t credit_oui = 0x02534C;  // locally administered

struct CreditOffer {
    PrioritySet lossless = 0;

    friend bool operator==(const CreditOffer&, const CreditOffer&) = default;
};

lldp::OrganisationalTlv write_credit_offer(const CreditOffer& offer);
// None: it is another, or of another version.
std::optional<CreditOffer> read_credit_offer(const lldp::OrganisationalTlv& tlv);

// Of a port with these neighbours.
CreditPeer credit_peer_of(std::span<const lldp::OrganisationalNeighbour> neighbours);
// The priorities that any of them takes on credit.
PrioritySet offered_by(std::span<const lldp::OrganisationalNeighbour> neighbours);

}  // namespace sluice::control
