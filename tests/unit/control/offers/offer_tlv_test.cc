#include "control/offers/offer_tlv.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "control/offers/tlv_provider.h"
#include "tests/support/octets.h"

namespace sluice::control {
namespace {

using Tlvs = std::vector<lldp::OrganisationalTlv>;

lldp::OrganisationalNeighbour neighbour_with(const Tlvs& tlvs) {
    return {.source = {2}, .chassis_id = {7, 'x'}, .port_id = {7, 'y'}, .tlvs = tlvs};
}

LinkPeer peer_of(const std::vector<lldp::OrganisationalNeighbour>& neighbours) {
    return control::peer_of(credit_offers, neighbours);
}

const lldp::OrganisationalTlv an_offer = write_offer(credit_offers, {.lossless = 0x18});

TEST(OfferTlv, IsWrittenAsItsReadmeDrawsIt) {
    EXPECT_EQ(an_offer.oui, 0x02534CU);
    EXPECT_EQ(an_offer.oui >> 16 & 3, 2U) << "locally administered, and no group";
    EXPECT_EQ(an_offer.subtype, 1);
    EXPECT_EQ(an_offer.payload, test::hex("534c43524544 01 18 0000"));
    EXPECT_EQ(read_offer(credit_offers, an_offer), Offer{0x18});
}

TEST(OfferTlv, AnythingElseIsNone) {
    auto longer = an_offer;
    longer.payload.push_back(1);
    EXPECT_EQ(read_offer(credit_offers, longer), Offer{0x18})
        << "what comes behind is not looked at";
    for (std::size_t cut = 0; cut < an_offer.payload.size(); ++cut) {
        auto shorter = an_offer;
        shorter.payload.resize(cut);
        EXPECT_EQ(read_offer(credit_offers, shorter), std::nullopt) << cut;
    }
    for (const std::size_t at : {0U, 5U, 6U}) {
        auto other = an_offer;
        other.payload[at] ^= 2;
        EXPECT_EQ(read_offer(credit_offers, other), std::nullopt) << at;
    }
    auto other = an_offer;
    other.subtype = 2;
    EXPECT_EQ(read_offer(credit_offers, other), std::nullopt);
    other = an_offer;
    other.oui = 0x0080C2;
    EXPECT_EQ(read_offer(credit_offers, other), std::nullopt);
}

TEST(OfferTlv, OfOneKindIsNoneOfAnother) {
    const auto retry = write_offer(retry_offers, {.lossless = 0x08});
    EXPECT_EQ(retry.payload, test::hex("534c52545259 02 08 0000"));
    EXPECT_EQ(read_offer(retry_offers, retry), Offer{0x08});
    EXPECT_EQ(read_offer(credit_offers, retry), std::nullopt);
    const std::vector both = {neighbour_with({retry})};
    EXPECT_EQ(peer_of(both), LinkPeer::unable);
    EXPECT_EQ(control::peer_of(retry_offers, both), LinkPeer::able);
    EXPECT_EQ(offered_by(retry_offers, both), 0x08);
    EXPECT_EQ(offered_by(credit_offers, both), 0);
}

TEST(OfferTlv, OneNeighbourThatSaysItIsAPeer) {
    const lldp::OrganisationalTlv pfc{.oui = 0x0080C2, .subtype = 11, .payload = {8, 8}};
    EXPECT_EQ(peer_of({}), LinkPeer::unknown);
    EXPECT_EQ(peer_of({neighbour_with({})}), LinkPeer::unable);
    EXPECT_EQ(peer_of({neighbour_with({pfc})}), LinkPeer::unable);
    EXPECT_EQ(peer_of({neighbour_with({pfc, an_offer})}), LinkPeer::able);
    EXPECT_EQ(peer_of({neighbour_with({an_offer}), neighbour_with({an_offer})}), LinkPeer::several)
        << "a session that stands goes on";
    EXPECT_EQ(peer_of({neighbour_with({}), neighbour_with({an_offer})}), LinkPeer::several);
    EXPECT_EQ(peer_of({neighbour_with({}), neighbour_with({pfc})}), LinkPeer::unable);
}

class Fixed final : public lldp::TlvProvider {
  public:
    std::vector<lldp::OrganisationalTlv> neighbours(std::span<const lldp::OrganisationalNeighbour>,
                                                    Nanos) override {
        return to_send();
    }
    [[nodiscard]] std::vector<lldp::OrganisationalTlv> to_send() const override {
        return {{0x0080C2, 11, {1}}};
    }
};

TEST(OfferTlvProvider, SendsItBesideAnotherAndReportsThePeer) {
    std::optional<Offer> offer = Offer{0x18};
    std::vector<LinkPeer> peers;
    std::vector<PrioritySet> offered;
    OfferTlvProvider discovery(
        credit_offers, std::make_unique<Fixed>(), [&] { return offer; },
        [&](LinkPeer peer, PrioritySet of) {
            peers.push_back(peer);
            offered.push_back(of);
        });
    const std::vector<lldp::OrganisationalNeighbour> peer = {neighbour_with({an_offer})};
    EXPECT_EQ(discovery.neighbours(peer, Nanos(0)), (Tlvs{{0x0080C2, 11, {1}}, an_offer}));
    EXPECT_EQ(discovery.neighbours({}, Nanos(0)).size(), 2U);
    EXPECT_EQ(peers, (std::vector{LinkPeer::able, LinkPeer::unknown}));
    EXPECT_EQ(offered,
              (std::vector{read_offer(credit_offers, an_offer)->lossless, PrioritySet{0}}));
    offer.reset();
    EXPECT_EQ(discovery.to_send(), (Tlvs{{0x0080C2, 11, {1}}}));
}

}  // namespace
}  // namespace sluice::control
