#include "control/offers/offer_tlv.h"

#include <algorithm>

namespace sluice::control {

namespace {

// Offset after OUI and subtype.
constexpr std::size_t lossless_at = std::size(credit_offers.protocol);
constexpr std::size_t offer_length = lossless_at + 3;

}  // namespace

lldp::OrganisationalTlv write_offer(const OfferKind& kind, const Offer& offer) {
    lldp::OrganisationalTlv tlv{.oui = offer_oui, .subtype = kind.subtype, .payload = {}};
    tlv.payload.assign(kind.protocol.begin(), kind.protocol.end());
    tlv.payload.resize(offer_length);
    tlv.payload[lossless_at] = offer.lossless;
    return tlv;
}

std::optional<Offer> read_offer(const OfferKind& kind, const lldp::OrganisationalTlv& tlv) {
    const bool is_one = tlv.oui == offer_oui && tlv.subtype == kind.subtype &&
                        tlv.payload.size() >= offer_length &&
                        std::equal(kind.protocol.begin(), kind.protocol.end(), tlv.payload.begin());
    if (!is_one) return {};
    return Offer{.lossless = tlv.payload[lossless_at]};
}

LinkPeer peer_of(const OfferKind& kind, std::span<const lldp::OrganisationalNeighbour> neighbours) {
    if (neighbours.empty()) return LinkPeer::unknown;
    const bool offers = std::ranges::any_of(neighbours, [&](const auto& neighbour) {
        return std::ranges::any_of(
            neighbour.tlvs, [&](const auto& tlv) { return read_offer(kind, tlv).has_value(); });
    });
    if (!offers) return LinkPeer::unable;
    return neighbours.size() == 1 ? LinkPeer::able : LinkPeer::several;
}

PrioritySet offered_by(const OfferKind& kind,
                       std::span<const lldp::OrganisationalNeighbour> neighbours) {
    PrioritySet offered = 0;
    for (const auto& neighbour : neighbours) {
        for (const auto& tlv : neighbour.tlvs) {
            if (const auto offer = read_offer(kind, tlv)) offered |= offer->lossless;
        }
    }
    return offered;
}

}  // namespace sluice::control
