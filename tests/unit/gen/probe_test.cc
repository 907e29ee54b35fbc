#include "tools/gen/probe.h"

#include <gtest/gtest.h>

#include "dataplane/ingress/parse.h"
#include "tests/unit/gen/fake_link.h"

namespace sluice::gen {
namespace {

using namespace literals;

TEST(Probe, IsWhatTheSwitchParses) {
    const Octets octets = probe_of({1, 2, 3}, 42);
    EXPECT_EQ(octets.size(), 60U);  // 64 with the FCS
    Headers headers;
    ASSERT_EQ(parse(octets, headers), Drop::none);
    EXPECT_EQ(headers.destination, station_address(2));
    EXPECT_EQ(headers.source, station_address(1));
    EXPECT_TRUE(headers.tagged);
    EXPECT_EQ(headers.pcp, 3);
    EXPECT_EQ(headers.vlan, 0);
    EXPECT_EQ(headers.ether_type, 0x0800);
    EXPECT_EQ(headers.network_offset, 18);
    EXPECT_EQ(headers.dscp, 24);  // CS3
}

TEST(Probe, ToItsOwnSenderIsToEverybody) {
    Headers headers;
    ASSERT_EQ(parse(probe_of({2, 2, 0}, 0), headers), Drop::none);
    EXPECT_EQ(headers.destination, MacAddress{0xFFFFFFFFFFFF});
    EXPECT_EQ(headers.source, station_address(2));
}

uint32_t ip_sum(const uint8_t* ip) {
    uint32_t sum = 0;
    for (int octet = 0; octet < 20; octet += 2) sum += read_16(ip + octet);
    return (sum & 0xFFFF) + (sum >> 16);
}

TEST(Probe, IsOfTheSameFlowFromAndToAnyOfTheAddresses) {
    const Flow flow{63, 17, 6};
    const ProbeTemplate made(flow, 0, 0, 64);
    for (uint32_t number = 0; number < most_addresses; number += 13) {
        const uint32_t to = most_addresses - 1 - number;
        Octets octets(made.length());
        made.write(octets.data(), 7);
        write_numbers(octets.data(), flow, number, to);
        Headers headers;
        ASSERT_EQ(parse(octets, headers), Drop::none);
        EXPECT_EQ(headers.source, station_address(63, number));
        EXPECT_EQ(headers.destination, station_address(17, to));
        EXPECT_EQ(ip_sum(&octets[18]), 0xFFFFU) << number;
        const auto probe = read_probe(octets);
        ASSERT_TRUE(probe);
        EXPECT_EQ(probe->flow, flow);
        EXPECT_EQ(probe->sequence, 7U);
        EXPECT_EQ(octets[30], 198);
        EXPECT_EQ(octets[31] & ~1, 18);
    }
}

TEST(Probe, OfNumberZeroIsThatOfAStationWithOneAddress) {
    const ProbeTemplate made({1, 2, 3}, 0, 0, 64);
    Octets octets(made.length());
    made.write(octets.data(), 42);
    write_numbers(octets.data(), {1, 2, 3}, 0, 0);
    EXPECT_EQ(octets, probe_of({1, 2, 3}, 42));
    EXPECT_EQ(station_address(2, 0), station_address(2));
}

TEST(Probe, ToEverybodyStaysSoFromAnyAddress) {
    const ProbeTemplate made({2, 2, 0}, 0, 0, 64);
    Octets octets(made.length());
    made.write(octets.data(), 0);
    write_numbers(octets.data(), {2, 2, 0}, 5, 6);
    EXPECT_EQ(read_address(octets.data()), MacAddress{0xFFFFFFFFFFFF});
    EXPECT_EQ(read_address(&octets[source_offset]), station_address(2, 5));
    EXPECT_EQ(ip_sum(&octets[18]), 0xFFFFU);
    EXPECT_TRUE(read_probe(octets)->flow.is_broadcast());
}

TEST(Probe, CarriesItsVlan) {
    const ProbeTemplate made({0, 1, 5}, 4094, 0, 64);
    Octets octets(made.length());
    made.write(octets.data(), 0);
    Headers headers;
    ASSERT_EQ(parse(octets, headers), Drop::none);
    EXPECT_EQ(headers.vlan, 4094);
    EXPECT_EQ(headers.pcp, 5);
}

TEST(Probe, HasTheLengthsAndTheChecksumThatIpWants) {
    for (const uint16_t frame_octets : std::to_array<uint16_t>({64, 594, 1500, 1518, 1522})) {
        const Octets octets = probe_of({4, 0, 7}, 1, frame_octets);
        ASSERT_EQ(octets.size(), frame_octets - 4U);
        const uint8_t* const ip = &octets[18];
        EXPECT_EQ(read_16(ip + 2), octets.size() - 18);
        EXPECT_EQ(read_16(ip + 24), octets.size() - 38);  // UDP
        EXPECT_EQ(ip_sum(ip), 0xFFFFU);
        EXPECT_TRUE(std::all_of(octets.begin() + 60, octets.end(), [](int x) { return x == 0; }));
    }
}

TEST(Probe, IsReadBack) {
    Octets octets = probe_of({63, 17, 6}, 0x0123456789ABCDEF, 594, 0xBEEF);
    stamp_time(octets.data(), 123'456'789'012_ns);
    const auto probe = read_probe(octets);
    ASSERT_TRUE(probe);
    EXPECT_EQ(probe->flow, (Flow{63, 17, 6}));
    EXPECT_EQ(probe->sequence, 0x0123456789ABCDEFU);
    EXPECT_EQ(probe->run, 0xBEEF);
    EXPECT_EQ(probe->age(123'456'789'999_ns), 987_ns);
}

TEST(Probe, SurvivesTheLossOfItsTag) {
    Octets octets = probe_of({1, 2, 3}, 9);
    octets.erase(octets.begin() + 12, octets.begin() + 16);
    const auto probe = read_probe(octets);
    ASSERT_TRUE(probe);
    EXPECT_EQ(probe->flow, (Flow{1, 2, 3}));
    EXPECT_EQ(probe->sequence, 9U);
}

TEST(Probe, AgeIsRightAcrossTheWrap) {
    Octets octets = probe_of({1, 2, 3}, 0);
    const Nanos wrap(int64_t{1} << 48);
    stamp_time(octets.data(), wrap - 100_ns);
    EXPECT_EQ(read_probe(octets)->age(wrap + 50_ns), 150_ns);
}

TEST(Probe, IsNotWhatOthersSend) {
    const Octets good = probe_of({1, 2, 3}, 0);
    EXPECT_FALSE(read_probe({}));
    for (std::size_t length = 0; length < good.size(); ++length) {
        EXPECT_FALSE(read_probe(std::span(good).first(length))) << length;
    }
    // EtherType, IP version, networks, UDP ports.
    for (const std::size_t octet : {13U, 16U, 18U, 30U, 33U, 34U, 37U, 39U, 41U}) {
        Octets changed = good;
        changed[octet] ^= 0x40;
        EXPECT_FALSE(read_probe(changed)) << octet;
    }
    Octets announcement(probe_octets);
    write_announcement(std::span<uint8_t, probe_octets>(announcement), 1, 0);
    EXPECT_FALSE(read_probe(announcement));
}

TEST(Probe, AnnouncementTeachesASwitchWhereTheStationIs) {
    for (const VlanId vlan : {VlanId{0}, VlanId{7}}) {
        Octets octets(probe_octets, uint8_t{0xEE});
        const uint32_t number = vlan * 9000U;
        write_announcement(std::span<uint8_t, probe_octets>(octets), 5, vlan,
                           FormatFamily::ethernet, number);
        Headers headers;
        ASSERT_EQ(parse(octets, headers), Drop::none);
        EXPECT_EQ(headers.source, station_address(5, number));
        EXPECT_TRUE(headers.destination.is_group());
        EXPECT_FALSE(headers.destination.is_reserved());
        EXPECT_EQ(headers.vlan, vlan);
    }
}

}  // namespace
}  // namespace sluice::gen
