// OfferTlv: reads and writes the LLDP TLVs by which a port offers features of its link that its
// peer has to support as well: credit-based flow control and link-level retry (README.md draws
// their octets).
// Bound: O(1) a TLV. Not done here: using the features (dataplane/credits/credit_end.h,
// dataplane/retry/port_retry.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "control/lldp/organisational.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/link_peer.h"

namespace sluice::control {

inline constexpr uint32_t offer_oui = 0x02534C;  // locally administered

struct OfferKind {
    uint8_t subtype;
    std::array<uint8_t, 7> protocol;  // the last octet is the version
};
inline constexpr OfferKind credit_offers{1, {'S', 'L', 'C', 'R', 'E', 'D', 1}};
inline constexpr OfferKind retry_offers{2, {'S', 'L', 'R', 'T', 'R', 'Y', 2}};

struct Offer {
    PrioritySet lossless = 0;

    friend bool operator==(const Offer&, const Offer&) = default;
};

lldp::OrganisationalTlv write_offer(const OfferKind& kind, const Offer& offer);
// Returns the offer in the TLV; empty if the TLV is not of this kind, or has another version.
std::optional<Offer> read_offer(const OfferKind& kind, const lldp::OrganisationalTlv& tlv);

// Returns whether the peer of a port with these neighbours offers the feature.
LinkPeer peer_of(const OfferKind& kind, std::span<const lldp::OrganisationalNeighbour> neighbours);
// Returns the priorities for which any of the neighbours offers the feature.
PrioritySet offered_by(const OfferKind& kind,
                       std::span<const lldp::OrganisationalNeighbour> neighbours);

}  // namespace sluice::control
