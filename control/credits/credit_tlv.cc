#include "control/credits/credit_tlv.h"

#include <algorithm>
#include <array>

namespace sluice::control {

namespace {

// Behind OUI and subtype.
struct OfferOctets {
    static constexpr uint8_t subtype = 1;
    static constexpr std::array<uint8_t, 7> protocol = {'S', 'L', 'C', 'R', 'E', 'D', 1};
    static constexpr std::size_t lossless_at = protocol.size();
    static constexpr std::size_t length = lossless_at + 3;
};

}  // namespace

lldp::OrganisationalTlv write_credit_offer(const CreditOffer& offer) {
    lldp::OrganisationalTlv tlv{.oui = credit_oui, .subtype = OfferOctets::subtype, .payload = {}};
    tlv.payload.assign(OfferOctets::protocol.begin(), OfferOctets::protocol.end());
    tlv.payload.resize(OfferOctets::length);
    tlv.payload[OfferOctets::lossless_at] = offer.lossless;
    return tlv;
}

std::optional<CreditOffer> read_credit_offer(const lldp::OrganisationalTlv& tlv) {
    const bool is_one =
        tlv.oui == credit_oui && tlv.subtype == OfferOctets::subtype &&
        tlv.payload.size() >= OfferOctets::length &&
        std::equal(OfferOctets::protocol.begin(), OfferOctets::protocol.end(), tlv.payload.begin());
    if (!is_one) return {};
    return CreditOffer{.lossless = tlv.payload[OfferOctets::lossless_at]};
}

CreditPeer credit_peer_of(std::span<const lldp::OrganisationalNeighbour> neighbours) {
    if (neighbours.empty()) return CreditPeer::unknown;
    const bool offers = std::ranges::any_of(neighbours, [](const auto& neighbour) {
        return std::ranges::any_of(
            neighbour.tlvs, [](const auto& tlv) { return read_credit_offer(tlv).has_value(); });
    });
    if (!offers) return CreditPeer::unable;
    return neighbours.size() == 1 ? CreditPeer::able : CreditPeer::several;
}

PrioritySet offered_by(std::span<const lldp::OrganisationalNeighbour> neighbours) {
    PrioritySet offered = 0;
    for (const auto& neighbour : neighbours) {
        for (const auto& tlv : neighbour.tlvs) {
            if (const auto offer = read_credit_offer(tlv)) offered |= offer->lossless;
        }
    }
    return offered;
}

}  // namespace sluice::control
