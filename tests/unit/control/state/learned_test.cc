#include "control/state/learned.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace sluice::control {
namespace {

using namespace literals;

// Ports p0 to p3; p2 and p3 are aggregation `up`.
config::Configuration four_ports() {
    config::Configuration configuration;
    configuration.settings.ports.resize(4);
    for (std::size_t port = 0; port < 4; ++port) {
        config::PortConfig& about = configuration.ports.emplace_back();
        about.name = "p" + std::to_string(port);
        about.device = "ring:" + std::to_string(port);
        if (port >= 2) about.aggregation = "up";
    }
    configuration.aggregations.push_back({.name = "up", .members = 0b1100, .lacp = {}});
    return configuration;
}

// Three stations, the last of them fixed, and seen at 10, 20 and 0 s.
SavedState saved(const config::Configuration& configuration) {
    Fdb fdb(64, 0);
    fdb.learn(fdb.probe(Fdb::key_of(1, {0x0200'0000'0001})), 0, Fdb::epoch_of(10_s));
    fdb.learn(fdb.probe(Fdb::key_of(7, {0x0200'0000'0002})), 2, Fdb::epoch_of(20_s));
    fdb.add_static(Fdb::key_of(1, {0x0200'0000'0003}), 1);
    SavedState state;
    save_addresses(state, fdb, configuration, 40_s);
    return state;
}

// Address to port and whole seconds.
std::map<uint64_t, std::pair<PortIndex, int64_t>> holding(
    const SavedState& state, const config::Configuration& configuration,
    std::chrono::seconds passed = std::chrono::seconds(0)) {
    std::map<uint64_t, std::pair<PortIndex, int64_t>> stations;
    for (const auto& one : addresses_to_restore(state, configuration, passed)) {
        stations[one.address.bits] = {one.port, one.age.count() / 1'000'000'000};
    }
    return stations;
}

TEST(Learned, IsSavedByPortVlanAndAgeAndWhatIsFixedIsNot) {
    const SavedState state = saved(four_ports());
    ASSERT_EQ(state.fdb.size(), 2U);
    std::map<uint64_t, SavedAddresses> by_address;
    for (const auto& of : state.fdb) by_address[of.addresses.at(0).address.bits] = of;
    const SavedAddresses& first = by_address.at(0x0200'0000'0001);
    const SavedAddresses& second = by_address.at(0x0200'0000'0002);
    EXPECT_EQ(state.places[first.place], (SavedPlace{"p0", "ring:0"}));
    EXPECT_EQ(first.vlan, 1);
    EXPECT_EQ(first.addresses[0].age_s, 30U);
    EXPECT_EQ(state.places[second.place], (SavedPlace{"up", ""}));
    EXPECT_EQ(second.vlan, 7);
}

TEST(Learned, GetsOlderByTheTimeThatPassed) {
    const auto stations = holding(saved(four_ports()), four_ports(), std::chrono::seconds(100));
    ASSERT_EQ(stations.size(), 2U);
    EXPECT_EQ(stations.at(0x0200'0000'0001), (std::pair<PortIndex, int64_t>(0, 130)));
    EXPECT_EQ(stations.at(0x0200'0000'0002).first, 2);
    const auto far = std::chrono::seconds(INT64_MAX);
    EXPECT_EQ(holding(saved(four_ports()), four_ports(), far).at(0x0200'0000'0001).second,
              int64_t{1} << 26);
}

TEST(Learned, FollowsItsPortAndStaysWithItsDevice) {
    const SavedState state = saved(four_ports());
    config::Configuration next = four_ports();
    std::swap(next.ports[0], next.ports[1]);
    EXPECT_EQ(holding(state, next).at(0x0200'0000'0001).first, 1);
    next.ports[1].device = "ring:another";
    EXPECT_FALSE(holding(state, next).contains(0x0200'0000'0001));
    next = four_ports();
    next.ports[0].vacant = true;
    EXPECT_FALSE(holding(state, next).contains(0x0200'0000'0001));
    next.aggregations.clear();
    EXPECT_TRUE(holding(state, next).empty());
}

TEST(Learned, IsOfAFamilyAndOfWhoLearns) {
    const SavedState state = saved(four_ports());
    config::Configuration next = four_ports();
    next.settings.ports[0].format.family = FormatFamily::afh_48;
    next.settings.ports[2].format.learns = false;
    EXPECT_TRUE(holding(state, next).empty());
}

}  // namespace
}  // namespace sluice::control
