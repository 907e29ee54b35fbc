#include "dataplane/tunnel/vteps.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "dataplane/tunnel/decapsulator.h"
#include "dataplane/tunnel/encapsulator.h"
#include "tests/support/encapsulated.h"

namespace sluice {
namespace {

using test::Octets;

constexpr uint32_t vni = 100;
constexpr UnderlayAddresses here{.mac = {0x0200'0000'0001}, .ipv4 = {0xC000'0201}};
constexpr MacAddress station{0x0200'0000'0099};

constexpr uint32_t number_of_no_address = 0x0A00'0000;

Ipv4Address vtep(uint32_t number) { return {number_of_no_address + number}; }
MacAddress mac_of(uint32_t number) { return {0x0200'0001'0000U + number}; }

struct Fixture {
    explicit Fixture(bool learns = true, std::size_t stations = 64)
        : bundle(std::array{VlanVni{.vni = vni}}, stations, learns, 7), vteps(&bundle[0]) {}

    Vteps* operator->() const { return vteps; }
    VtepId added(uint32_t number) const {
        const auto id = vteps->add(vtep(number));
        EXPECT_TRUE(id.has_value());
        return id.value_or(0);
    }
    std::vector<std::size_t> flooded() const {
        std::vector<std::size_t> slots;
        for (std::size_t slot = vteps->next_flooded(0, vteps->added()); slot != Vteps::none;
             slot = vteps->next_flooded(slot + 1, vteps->added())) {
            slots.push_back(slot);
        }
        return slots;
    }

    Bundle bundle;
    Vteps* vteps;
};

TEST(Vteps, AreFoundByTheSourceOfADatagram) {
    const Fixture vteps;
    const VtepId one = vteps.added(1);
    const VtepId two = vteps.added(2);
    EXPECT_NE(Vteps::slot_of(one), Vteps::slot_of(two));
    EXPECT_EQ(vteps->from(vtep(2)), two);
    EXPECT_EQ(vteps->from(vtep(3)), std::nullopt);
    EXPECT_EQ(vteps.added(1), one) << "it is there already";
    vteps->remove(one);
    EXPECT_EQ(vteps->from(vtep(1)), std::nullopt);
    EXPECT_EQ(vteps->count(), 1U);
    EXPECT_EQ(vteps->from(Ipv4Address{}), std::nullopt);
    EXPECT_EQ(vteps->add(Ipv4Address{}), std::nullopt);
    EXPECT_EQ(vteps->count(), 1U);
}

TEST(Vteps, AreAsManyAsThereMayBe) {
    const Fixture vteps;
    for (uint32_t number = 0; number < Vteps::most; ++number) vteps.added(1 + number);
    EXPECT_EQ(vteps->add(vtep(0xFFFF)), std::nullopt);
    for (uint32_t number = 0; number < Vteps::most; ++number) {
        EXPECT_EQ(vteps->way(Vteps::slot_of(*vteps->from(vtep(1 + number)))).remote,
                  vtep(1 + number));
    }
    vteps->remove(*vteps->from(vtep(5)));
    EXPECT_TRUE(vteps->add(vtep(0xFFFF)).has_value()) << "in the place of the one that is gone";
}

TEST(Vteps, AreLearnedByWhatStationsSend) {
    const Fixture vteps;
    const VtepId one = vteps.added(1);
    const VtepId two = vteps.added(2);
    EXPECT_EQ(vteps->behind(station), std::nullopt);
    vteps->learn(station, one);
    EXPECT_EQ(vteps->behind(station), one);
    vteps->learn(station, two);
    EXPECT_EQ(vteps->behind(station), two) << "it has moved";
    vteps->learn(broadcast_address, one);
    EXPECT_EQ(vteps->behind(broadcast_address), std::nullopt) << "no station";
    vteps->learn(MacAddress{}, one);
    EXPECT_EQ(vteps->behind(MacAddress{}), std::nullopt);
}

// A whole round of ageing: as many polls as it takes for so few stations.
void age(const Fixture& vteps) {
    vteps->age();
    for (int poll = 0; poll < 10; ++poll) vteps->age_some();
}

TEST(Vteps, OfStationsThoseAreForgottenThatAreSilent) {
    constexpr uint32_t many = 64;
    const Fixture vteps(true, many);
    const VtepId one = vteps.added(1);
    const VtepId two = vteps.added(2);
    for (uint32_t number = 0; number < many; ++number) vteps->learn(mac_of(number), one);
    age(vteps);
    EXPECT_EQ(vteps->behind(mac_of(5)), one) << "it spoke before this round";
    vteps->learn(mac_of(5), one);
    vteps->learn(mac_of(6), two);
    age(vteps);
    EXPECT_EQ(vteps->behind(mac_of(5)), one);
    EXPECT_EQ(vteps->behind(mac_of(6)), two);
    for (uint32_t number = 7; number < many; ++number) {
        EXPECT_EQ(vteps->behind(mac_of(number)), std::nullopt) << number;
    }
    for (int poll = 0; poll < 100; ++poll) vteps->age_some();
    EXPECT_EQ(vteps->behind(mac_of(5)), one) << "no further round was asked for";
    age(vteps);
    EXPECT_EQ(vteps->behind(mac_of(5)), std::nullopt);
    EXPECT_EQ(vteps->displaced(), 0U);
}

TEST(Vteps, ThatComeInThePlaceOfOthersHaveNoneOfTheirStations) {
    const Fixture vteps;
    for (uint32_t number = 0; number < Vteps::most; ++number) vteps.added(number + 1);
    const VtepId gone = *vteps->from(vtep(1));
    vteps->learn(station, gone);
    vteps->counts(Vteps::slot_of(gone)).sent.add(3);
    vteps->remove(gone);
    EXPECT_EQ(vteps->behind(station), std::nullopt);
    const VtepId next = vteps.added(5000);
    ASSERT_EQ(Vteps::slot_of(next), Vteps::slot_of(gone)) << "the only one that is free";
    EXPECT_EQ(vteps->behind(station), std::nullopt) << "it was behind another";
    EXPECT_EQ(vteps->passed(next).sent, 0U);
    vteps->counts(Vteps::slot_of(next)).sent.add(2);
    EXPECT_EQ(vteps->passed(next).sent, 2U);
    EXPECT_EQ(vteps->way(Vteps::slot_of(next)).next_hop, MacAddress{});
}

TEST(Vteps, GetFloodsOnceEach) {
    const Fixture vteps;
    std::vector<std::size_t> wanted;
    for (uint32_t number = 0; number < 200; ++number) {
        const VtepId id = vteps.added(number + 1);
        vteps->set_flooded(id, number % 3 == 0);
        if (number % 3 == 0) wanted.push_back(Vteps::slot_of(id));
    }
    EXPECT_EQ(vteps.flooded(), wanted);
    vteps->remove(*vteps->from(vtep(1)));
    wanted.erase(wanted.begin());
    EXPECT_EQ(vteps.flooded(), wanted) << "one that is gone gets none";
}

TEST(Vteps, ReportWhatFindsNoPlace) {
    const Fixture learned(true, 4);  // two buckets at the most
    const VtepId one = learned.added(1);
    for (uint32_t number = 1; number <= 100; ++number) learned->learn(mac_of(number), one);
    EXPECT_EQ(learned->behind(mac_of(100)), one) << "the last is there";
    EXPECT_GT(learned->displaced(), 80U);
    const Fixture bound(false, 4);
    const VtepId other = bound.added(1);
    uint64_t refused = 0;
    for (uint32_t number = 1; number <= 100; ++number) {
        if (!bound->bind(mac_of(number), other)) ++refused;
    }
    EXPECT_EQ(bound->behind(mac_of(1)), other) << "the first stays";
    EXPECT_EQ(bound->left_out(), refused);
    EXPECT_EQ(refused, 92U);
    bound->unbind(mac_of(1));
    EXPECT_EQ(bound->behind(mac_of(1)), std::nullopt);
}

TEST(Vteps, FindPlacesForAsManyStationsAsTheyAreMadeFor) {
    constexpr uint32_t many = 16384;
    const Fixture vteps(false, many);
    const VtepId one = vteps.added(1);
    for (uint32_t number = 0; number < many; ++number) {
        ASSERT_TRUE(vteps->bind({0x0200'0000'0000U + number * 0x1'0001U}, one)) << number;
    }
    std::size_t seen = 0;
    vteps->for_each_station([&](MacAddress, VtepId id) { seen += id == one ? 1 : 0; });
    EXPECT_EQ(seen, many);
}

TEST(Vteps, EachGetsWhatIsWrittenForItAndKnowsTheSender) {
    const Fixture vteps;
    const VtepId far = vteps.added(2);
    const Encapsulator encapsulator(VxlanTunnel{{}, vni}, here, {}, 1);
    ASSERT_EQ(encapsulator.octets(), vxlan_octets);
    const Octets inner = test::datagram();
    std::array<Octets, 3> whole;
    std::array<Frame, 3> frames{};
    std::array<VtepWay, 3> ways;
    for (uint32_t n = 0; n < 3; ++n) {
        whole[n] = Octets(vxlan_octets);
        whole[n].insert(whole[n].end(), inner.begin(), inner.end());
        frames[n].data = whole[n].data();
        frames[n].length = static_cast<uint16_t>(whole[n].size());
        ways[n] = {{0xFFFF'FFFF - n}, vni, mac_of(n)};
    }
    encapsulator.write_each(frames, ways);
    for (uint32_t n = 0; n < 3; ++n) {
        Decapsulator there({.mac = mac_of(n), .ipv4 = {0xFFFF'FFFF - n}});
        there.add(VxlanTunnel{here.ipv4, vni});
        const Arrival arrival = there.look(whole[n]);
        ASSERT_EQ(arrival.kind, ArrivalKind::carried) << name_of(arrival.why);
        EXPECT_EQ(Octets(whole[n].begin() + vxlan_octets, whole[n].end()), inner);
    }
    // Back: whose it is and from whom.
    Decapsulator own(here);
    own.add(VxlanTunnel{{}, vni}, &vteps.bundle);
    own.add(VxlanTunnel{vtep(3), vni + 1});
    const auto from = [&](uint32_t number, uint32_t network) {
        Octets octets =
            test::encapsulated(Encapsulator(VxlanTunnel{here.ipv4, network},
                                            {.mac = mac_of(9), .ipv4 = vtep(number)}, {}, 1),
                               inner, 0, here.mac);
        return own.look(octets);
    };
    const Arrival known = from(2, vni);
    EXPECT_EQ(known.kind, ArrivalKind::carried);
    EXPECT_EQ(known.tunnel, 0);
    EXPECT_EQ(known.vtep, far);
    EXPECT_EQ(from(3, vni).why, Refusal::other_source) << "no VTEP of the network";
    EXPECT_EQ(from(-number_of_no_address, vni).why, Refusal::other_source) << "of 0.0.0.0";
    EXPECT_EQ(from(3, vni + 1).tunnel, 1);
    EXPECT_EQ(from(2, vni + 1).why, Refusal::other_source);
    EXPECT_EQ(from(2, vni + 2).why, Refusal::unknown_vni);
}

}  // namespace
}  // namespace sluice
