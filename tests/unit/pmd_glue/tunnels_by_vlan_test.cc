// A tunnel to many VTEPs with a network for each of several VLANs.
#include <array>

#include "dataplane/types/tag.h"
#include "tests/unit/pmd_glue/tunnels_to_many_bed.h"

namespace sluice::pmd {
namespace {

// Several networks by VLAN: frames for the tunnel have the tag of their VLAN, and arriving frames
// get it.
class TunnelsByVlanTest : public TunnelsToManyTest {
  protected:
    static constexpr VlanVni ten{10, 10010};
    static constexpr VlanVni twenty{20, 20020};

    TunnelsByVlanTest() : TunnelsToManyTest({ten, twenty}) {
        add(2, network(ten));
        add(3, network(twenty));
    }
    Vteps& network(const VlanVni& of) { return *end().bundle->of_vlan(of.vlan); }
    static Octets tagged(VlanId vlan, Octets frame) {
        std::array<uint8_t, tag_octets> tag;
        write_16(tag.data(), ether_type_of(TagType::customer));
        write_16(&tag[2], static_cast<uint16_t>(5U << 13 | vlan));
        frame.insert(frame.begin() + tag_offset, tag.begin(), tag.end());
        return frame;
    }
};

TEST_F(TunnelsByVlanTest, AFloodGoesToTheVtepsOfItsNetworkWithoutItsTag) {
    const Octets sent = to(broadcast_address);
    for (const VlanVni& of : {ten, twenty}) {
        ASSERT_EQ(send(tagged(of.vlan, sent)), 1U);
        std::vector<uint32_t> vnis;
        const auto copies = left(&vnis);
        const std::size_t wanted = network(of).count();
        EXPECT_EQ(vnis, std::vector(wanted, of.vni));
        for (const auto& [number, octets] : copies) EXPECT_EQ(octets, sent) << number;
        EXPECT_EQ(network(of).passed(*network(of).from(vtep(0))).sent, 1U);
        EXPECT_EQ(network(of).passed(*network(of).from(vtep(0))).sent_octets, sent.size());
    }
}

TEST_F(TunnelsByVlanTest, AnAddressIsBehindAnotherVtepInEachVlan) {
    const Octets said = test::octets_of({.from = test::station(9)});
    arrive(0, said, ten.vni);
    arrive(2, said, twenty.vni);
    const auto got = received(over);
    ASSERT_EQ(got.size(), 2U);
    for (std::size_t n = 0; n < 2; ++n) {
        const VlanId vlan = n == 0 ? ten.vlan : twenty.vlan;
        Octets with_tag = tagged(vlan, said);
        with_tag[tag_offset + 2] = static_cast<uint8_t>(vlan >> 8);  // of PCP 0
        EXPECT_EQ(got[n], with_tag);
    }
    const Octets answer = to(test::station(9));
    const std::array frames = {frame_of(tagged(ten.vlan, answer)),
                               frame_of(tagged(twenty.vlan, answer))};
    ASSERT_EQ(tunnels_.transmit(over, frames), 2U);
    std::vector<uint32_t> vnis;
    const auto sent = left(&vnis);
    EXPECT_EQ(vnis, (std::vector{ten.vni, twenty.vni}));
    EXPECT_EQ(sent, (std::multimap<uint32_t, Octets>{{0, answer}, {2, answer}}));
    EXPECT_EQ(end().flooded.value(), 0U);
}

TEST_F(TunnelsByVlanTest, WhatTheDeviceRefusesIsAsItWas) {
    arrive(0, test::octets_of({.from = test::station(9)}), ten.vni);
    EXPECT_EQ(received(over).size(), 1U);
    const Octets octets = tagged(ten.vlan, to(test::station(9)));
    std::size_t taken = 0;
    for (std::size_t sent = 1; sent == 1; taken += sent) {
        const Frame frame = frame_of(octets);
        sent = tunnels_.transmit(over, {&frame, 1});
        if (sent == 1) continue;
        EXPECT_EQ(Octets(frame.data, frame.data + frame.length), octets);
        free_frames(*pool_, {&frame, 1});
    }
    EXPECT_EQ(left().size(), taken);
}

TEST_F(TunnelsByVlanTest, WhatOthersHoldStaysAsItIs) {
    arrive(0, test::octets_of({.from = test::station(9)}), ten.vni);
    EXPECT_EQ(received(over).size(), 1U);
    const Octets octets = tagged(ten.vlan, to(test::station(9)));
    const Frame frame = frame_of(octets);
    Pool::share(frame.handle, 1);
    ASSERT_EQ(tunnels_.transmit(over, {&frame, 1}), 1U);
    EXPECT_EQ(left().count(0), 1U);
    EXPECT_EQ(Octets(frame.data, frame.data + frame.length), octets);
    free_frames(*pool_, {&frame, 1});
}

TEST_F(TunnelsByVlanTest, WhatNoNetworkCarriesIsCounted) {
    const Octets frame = to(broadcast_address);
    for (const Octets& octets : {frame, tagged(30, frame), tagged(ten.vlan, tagged(30, frame))}) {
        ASSERT_EQ(send(octets), 1U);
    }
    EXPECT_TRUE(left().empty());
    EXPECT_EQ(end().unmapped.value(), 3U);
    EXPECT_EQ(end().flooded.value(), 0U);
}

TEST_F(TunnelsByVlanTest, WhatIsForAllOfANetworkWithoutVtepsIsCounted) {
    std::vector<VtepId> all;
    network(ten).for_each([&](VtepId id, const VtepWay&) { all.push_back(id); });
    for (const VtepId id : all) network(ten).set_flooded(id, false);
    ASSERT_EQ(send(tagged(ten.vlan, to(broadcast_address))), 1U);
    EXPECT_TRUE(left().empty());
    EXPECT_EQ(end().unmapped.value(), 1U);
    EXPECT_EQ(end().flooded.value(), 0U);
    ASSERT_EQ(send(tagged(twenty.vlan, to(broadcast_address))), 1U);
    EXPECT_EQ(left().size(), network(twenty).count());
}

TEST_F(TunnelsByVlanTest, WhatOnePortTookForAnotherIsKept) {
    EXPECT_FALSE(tunnels_.keep_any());
    arrive(0, test::octets_of({.from = test::station(9)}), ten.vni);
    EXPECT_TRUE(received(below).empty());
    EXPECT_TRUE(tunnels_.keep_any());
    EXPECT_EQ(received(over).size(), 1U);
    EXPECT_FALSE(tunnels_.keep_any());
}

TEST_F(TunnelsByVlanTest, WhatArrivesWithATagIsRefused) {
    arrive(0, tagged(30, test::octets_of({.from = test::station(9)})), ten.vni);
    EXPECT_TRUE(received(over).empty());
    const auto& counted = underlay_->underlay_end()->refused;
    EXPECT_EQ(counted[static_cast<std::size_t>(Refusal::inner_tag)].value(), 1U);
}

TEST_F(TunnelsByVlanTest, WhatWasLearnedIsForgottenByVlan) {
    const Octets said = test::octets_of({.from = test::station(9)});
    arrive(0, said, ten.vni);
    arrive(2, said, twenty.vni);
    EXPECT_EQ(received(over).size(), 2U);
    EXPECT_FALSE(tunnels_.are_to_age());
    network(ten).forget_stations();
    EXPECT_TRUE(tunnels_.are_to_age());
    for (int poll = 0; poll < 100; ++poll) tunnels_.go_on(over);
    EXPECT_FALSE(tunnels_.are_to_age());
    EXPECT_EQ(network(ten).behind(test::station(9)), std::nullopt);
    EXPECT_TRUE(network(twenty).behind(test::station(9)).has_value());
}

}  // namespace
}  // namespace sluice::pmd
