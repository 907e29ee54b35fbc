#include "dataplane/tunnel/bundle.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "dataplane/tunnel/decapsulator.h"
#include "dataplane/tunnel/encapsulator.h"
#include "tests/support/encapsulated.h"

namespace sluice {
namespace {

using test::Octets;

constexpr UnderlayAddresses here{.mac = {0x0200'0000'0001}, .ipv4 = {0xC000'0201}};
constexpr MacAddress station{0x0200'0000'0099};
constexpr std::array networks = {VlanVni{10, 10010}, VlanVni{20, 20020}, VlanVni{4094, 1}};

Ipv4Address vtep(uint32_t number) { return {0x0A00'0000 + number}; }

std::vector<Ipv4Address> vteps_of(const Vteps& network) {
    std::vector<Ipv4Address> all;
    network.for_each([&](VtepId, const VtepWay& way) { all.push_back(way.remote); });
    std::ranges::sort(all);
    return all;
}

void forget(Vteps& network) {
    network.forget_stations();
    for (int poll = 0; poll < 100; ++poll) network.age_some();
}

TEST(Bundle, HasANetworkForEachVlan) {
    const Bundle bundle(networks, 64, true, 7);
    EXPECT_TRUE(bundle.is_by_vlan());
    ASSERT_EQ(bundle.count(), networks.size());
    for (std::size_t place = 0; place < networks.size(); ++place) {
        EXPECT_EQ(bundle[place].network(), networks[place]);
        EXPECT_EQ(bundle.of_vlan(networks[place].vlan), &bundle[place]);
        EXPECT_EQ(bundle.of_vni(networks[place].vni), &bundle[place]);
        EXPECT_EQ(bundle.place_of(networks[place].vni), place);
    }
    for (const VlanId vlan : {VlanId{0}, VlanId{11}, VlanId{4095}}) {
        EXPECT_EQ(bundle.of_vlan(vlan), nullptr) << vlan;
    }
    for (const uint32_t vni : {0U, 2U, 10011U, highest_vni}) {
        EXPECT_EQ(bundle.of_vni(vni), nullptr) << vni;
    }
}

TEST(Bundle, OfOneNetworkCarriesFramesOfAnyVlan) {
    const Bundle bundle(std::array{VlanVni{.vni = 7}}, 64, true, 7);
    EXPECT_FALSE(bundle.is_by_vlan());
    EXPECT_EQ(bundle.of_vlan(1), &bundle[0]);
    EXPECT_EQ(bundle.of_vni(7), &bundle[0]);
    EXPECT_EQ(bundle.of_vni(8), nullptr);
}

TEST(Bundle, OfAsManyNetworksAsThereMayBeFindsEach) {
    std::vector<VlanVni> most;
    for (uint32_t number = 0; number < Bundle::most; ++number) {
        most.push_back({static_cast<VlanId>(4094 - number), 1 + number * 65'000});
    }
    const Bundle bundle(most, 65536, true, 7);
    for (std::size_t place = 0; place < most.size(); ++place) {
        ASSERT_EQ(bundle.of_vlan(most[place].vlan), &bundle[place]);
        ASSERT_EQ(bundle.of_vni(most[place].vni), &bundle[place]);
    }
}

TEST(Bundle, KnowsAnAddressByVlan) {
    const Bundle bundle(networks, 64, true, 7);
    Vteps& ten = *bundle.of_vlan(10);
    Vteps& twenty = *bundle.of_vlan(20);
    const VtepId one = *ten.add(vtep(1));
    const VtepId two = *twenty.add(vtep(2));
    ten.learn(station, one);
    EXPECT_EQ(ten.behind(station), one);
    EXPECT_EQ(twenty.behind(station), std::nullopt);
    twenty.learn(station, two);
    EXPECT_EQ(ten.way(Vteps::slot_of(*ten.behind(station))).remote, vtep(1));
    EXPECT_EQ(twenty.way(Vteps::slot_of(*twenty.behind(station))).remote, vtep(2));
    EXPECT_EQ(twenty.way(Vteps::slot_of(two)).vni, 20020U);
    forget(ten);
    EXPECT_EQ(ten.behind(station), std::nullopt);
    EXPECT_EQ(twenty.behind(station), two) << "that is of another VLAN";
    ten.learn(station, one);
    EXPECT_EQ(ten.behind(station), one) << "and may be learned again";
    EXPECT_EQ(bundle.vteps(), 2U);
}

TEST(Bundle, HasTheVtepsThatAreWritten) {
    Bundle bundle(networks, 64, true, 7);
    keep_remotes(bundle, std::array{vtep(2), vtep(1)});
    const VtepId stays = *bundle[0].from(vtep(2));
    keep_remotes(bundle, std::array{vtep(2), vtep(3)});
    for (std::size_t place = 0; place < bundle.count(); ++place) {
        EXPECT_EQ(vteps_of(bundle[place]), (std::vector{vtep(2), vtep(3)}));
        EXPECT_TRUE(bundle[place].is_flooded(Vteps::slot_of(*bundle[place].from(vtep(3)))));
    }
    EXPECT_EQ(bundle[0].from(vtep(2)), stays);
    keep_remotes(bundle, {});
    EXPECT_EQ(bundle.vteps(), 0U);
}

TEST(Bundle, AFloodGoesToWhoWasThereWhenItBegan) {
    const Bundle bundle(networks, 64, true, 7);
    Vteps& network = bundle[0];
    for (uint32_t number = 1; number <= 3; ++number) {
        network.set_flooded(*network.add(vtep(number)), true);
    }
    const uint64_t then = network.added();
    network.remove(*network.from(vtep(2)));
    network.set_flooded(*network.add(vtep(2)), true);
    std::vector<Ipv4Address> sent;
    for (std::size_t slot = network.next_flooded(0, then); slot != Vteps::none;
         slot = network.next_flooded(slot + 1, then)) {
        sent.push_back(network.way(slot).remote);
    }
    EXPECT_EQ(sent, (std::vector{vtep(1), vtep(3)}));
    const std::size_t last = Vteps::slot_of(*network.from(vtep(2)));
    EXPECT_EQ(network.next_flooded(last, network.added()), last) << "the next one comes to it";
}

struct Ends {
    Ends() : bundle(networks, 64, true, 7) {
        keep_remotes(bundle, std::array{vtep(2)});
        decapsulator.add(VxlanTunnel{}, &bundle);
        decapsulator.add(VxlanTunnel{vtep(3), 555});
    }
    Arrival from(uint32_t number, uint32_t vni, const Octets& inner = test::datagram()) {
        octets = test::encapsulated(
            Encapsulator(VxlanTunnel{here.ipv4, vni}, {.mac = {2}, .ipv4 = vtep(number)}, {}, 1),
            inner, 0, here.mac);
        return decapsulator.look(octets);
    }

    Bundle bundle;
    Decapsulator decapsulator{here};
    Octets octets;
};

TEST(Bundle, KnowsTheNetworkOfWhatArrives) {
    Ends ends;
    for (std::size_t place = 0; place < networks.size(); ++place) {
        const Arrival arrival = ends.from(2, networks[place].vni);
        ASSERT_EQ(arrival.kind, ArrivalKind::carried) << name_of(arrival.why);
        EXPECT_EQ(arrival.tunnel, 0);
        EXPECT_EQ(arrival.network, place);
        EXPECT_EQ(arrival.vtep, ends.bundle[place].from(vtep(2)));
    }
    EXPECT_EQ(ends.from(2, 10011).why, Refusal::unknown_vni);
    EXPECT_EQ(ends.from(3, 10010).why, Refusal::other_source);
    EXPECT_EQ(ends.from(3, 555).tunnel, 1);
    EXPECT_EQ(ends.from(2, 555).why, Refusal::other_source);
}

// RFC 7348 6.1: discarded, unless configured otherwise.
TEST(Bundle, TakesNoFrameWithATagOfItsOwn) {
    Ends ends;
    for (const TagType type : {TagType::customer, TagType::service}) {
        Octets tagged = test::datagram();
        write_16(&tagged[tag_offset], ether_type_of(type));
        const Octets before = tagged;
        EXPECT_EQ(ends.from(2, 10010, tagged).why, Refusal::inner_tag);
        EXPECT_EQ(Octets(ends.octets.end() - static_cast<std::ptrdiff_t>(before.size()),
                         ends.octets.end()),
                  before);
    }
}

}  // namespace
}  // namespace sluice
