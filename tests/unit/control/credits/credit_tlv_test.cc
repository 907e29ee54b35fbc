#include "control/credits/credit_tlv.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "control/credits/tlv_provider.h"
#include "tests/support/octets.h"

namespace sluice::control {
namespace {

using Tlvs = std::vector<lldp::OrganisationalTlv>;

lldp::OrganisationalNeighbour neighbour_with(const Tlvs& tlvs) {
    return {.source = {2}, .chassis_id = {7, 'x'}, .port_id = {7, 'y'}, .tlvs = tlvs};
}

CreditPeer peer_of(const std::vector<lldp::OrganisationalNeighbour>& neighbours) {
    return credit_peer_of(neighbours);
}

const lldp::OrganisationalTlv an_offer = write_credit_offer({.lossless = 0x18});

TEST(CreditTlv, IsWrittenAsItsReadmeDrawsIt) {
    EXPECT_EQ(an_offer.oui, 0x02534CU);
    EXPECT_EQ(an_offer.oui >> 16 & 3, 2U) << "locally administered, and no group";
    EXPECT_EQ(an_offer.subtype, 1);
    EXPECT_EQ(an_offer.payload, test::hex("534c43524544 01 18 0000"));
    EXPECT_EQ(read_credit_offer(an_offer), CreditOffer{0x18});
}

TEST(CreditTlv, AnythingElseIsNone) {
    auto longer = an_offer;
    longer.payload.push_back(1);
    EXPECT_EQ(read_credit_offer(longer), CreditOffer{0x18}) << "what comes behind is not looked at";
    for (std::size_t cut = 0; cut < an_offer.payload.size(); ++cut) {
        auto shorter = an_offer;
        shorter.payload.resize(cut);
        EXPECT_EQ(read_credit_offer(shorter), std::nullopt) << cut;
    }
    for (const std::size_t at : {0U, 5U, 6U}) {
        auto other = an_offer;
        other.payload[at] ^= 2;
        EXPECT_EQ(read_credit_offer(other), std::nullopt) << at;
    }
    auto other = an_offer;
    other.subtype = 2;
    EXPECT_EQ(read_credit_offer(other), std::nullopt);
    other = an_offer;
    other.oui = 0x0080C2;
    EXPECT_EQ(read_credit_offer(other), std::nullopt);
}

TEST(CreditTlv, OneNeighbourThatSaysItIsAPeer) {
    const lldp::OrganisationalTlv pfc{.oui = 0x0080C2, .subtype = 11, .payload = {8, 8}};
    EXPECT_EQ(peer_of({}), CreditPeer::unknown);
    EXPECT_EQ(peer_of({neighbour_with({})}), CreditPeer::unable);
    EXPECT_EQ(peer_of({neighbour_with({pfc})}), CreditPeer::unable);
    EXPECT_EQ(peer_of({neighbour_with({pfc, an_offer})}), CreditPeer::able);
    EXPECT_EQ(peer_of({neighbour_with({an_offer}), neighbour_with({an_offer})}),
              CreditPeer::several)
        << "a session that stands goes on";
    EXPECT_EQ(peer_of({neighbour_with({}), neighbour_with({an_offer})}), CreditPeer::several);
    EXPECT_EQ(peer_of({neighbour_with({}), neighbour_with({pfc})}), CreditPeer::unable);
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

TEST(CreditTlvProvider, SendsItBesideAnotherAndReportsThePeer) {
    std::optional<CreditOffer> offer = CreditOffer{0x18};
    std::vector<CreditPeer> peers;
    std::vector<PrioritySet> offered;
    CreditTlvProvider discovery(
        std::make_unique<Fixed>(), [&] { return offer; },
        [&](CreditPeer peer, PrioritySet of) {
            peers.push_back(peer);
            offered.push_back(of);
        });
    const std::vector<lldp::OrganisationalNeighbour> peer = {neighbour_with({an_offer})};
    EXPECT_EQ(discovery.neighbours(peer, Nanos(0)), (Tlvs{{0x0080C2, 11, {1}}, an_offer}));
    EXPECT_EQ(discovery.neighbours({}, Nanos(0)).size(), 2U);
    EXPECT_EQ(peers, (std::vector{CreditPeer::able, CreditPeer::unknown}));
    EXPECT_EQ(offered, (std::vector{read_credit_offer(an_offer)->lossless, PrioritySet{0}}));
    offer.reset();
    EXPECT_EQ(discovery.to_send(), (Tlvs{{0x0080C2, 11, {1}}}));
}

}  // namespace
}  // namespace sluice::control
