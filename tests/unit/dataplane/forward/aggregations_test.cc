#include "dataplane/forward/aggregations.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "dataplane/forward/flow.h"
#include "dataplane/types/random.h"
#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::hex;
using test::Octets;
using test::station;

// 1, 3 and 6 are one, 4 and 5 another.
Aggregations two_groups() {
    const std::vector<AggregationSettings> all = {{.members = 0b100'1010}, {.members = 0b011'0000}};
    return Aggregations(all);
}
uint64_t nth_flow(uint64_t number) {
    return Flow(DistributionHash::l2, 0)(Fdb::key_of(1, station(0)),
                                         Fdb::key_of(1, {station(0).bits + number}), {}, 0);
}
// Returns the one port that sends a frame for `bridge_port`.
PortIndex sender(const Aggregations& made, PortIndex bridge_port, PortSet links, uint64_t flow) {
    const PortSet ports =
        made.senders(only(bridge_port), links, [&](DistributionHash) { return flow; });
    EXPECT_EQ(std::popcount(ports), 1);
    return static_cast<PortIndex>(std::countr_zero(ports));
}

TEST(Aggregations, TheLowestMemberStandsForAll) {
    const Aggregations made = two_groups();
    EXPECT_EQ(made.bridge_port(6), 1);
    EXPECT_EQ(made.bridge_port(1), 1);
    EXPECT_EQ(made.bridge_port(5), 4);
    EXPECT_EQ(made.bridge_port(2), 2);
    EXPECT_TRUE(made.any());
    EXPECT_FALSE(Aggregations().any());
}

// From any members of five ports to any others, compared with the ports that flows leave by.
TEST(Aggregations, AMemberKnowsWhoseFlowsItTakesOver) {
    const auto of = [](PortSet members) {
        return Aggregations(std::vector<AggregationSettings>{{.members = members}});
    };
    const auto is_one = [](PortSet members) { return std::popcount(members) > 1; };
    int moved = 0;
    for (PortSet then = 0; then < 32; ++then) {
        for (PortSet now = 0; now < 32; ++now) {
            if (!is_one(then) || !is_one(now) || (then & only(first_of(now))) == 0) continue;
            const Aggregations before = of(then);
            const Aggregations after = of(now);
            std::array<PortSet, 5> from{};
            for_each_port(now, [&](PortIndex port) {
                from[port] = after.takes_over_from(port, before);
                for_each_port(from[port] & first_ports(port) & now, [&](PortIndex other) {
                    EXPECT_EQ(from[other] & only(port), 0U) << "each waits for the other";
                });
            });
            for (uint64_t number = 0; number < 100; ++number) {
                const uint64_t flow = nth_flow(number);
                const PortIndex was = sender(before, first_of(then), ~PortSet{0}, flow);
                const PortIndex is = sender(after, first_of(now), ~PortSet{0}, flow);
                if (was == is) continue;
                ++moved;
                EXPECT_NE(from[is] & only(was), 0U) << then << " to " << now;
            }
            if (then == now) {
                EXPECT_EQ(from, (std::array<PortSet, 5>{}));
            }
        }
    }
    EXPECT_GT(moved, 1000);
    const std::vector<AggregationSettings> halves = {{.members = 0b00110}, {.members = 0b11000}};
    const Aggregations split(halves);
    EXPECT_EQ(split.takes_over_from(2, of(0b11110)), PortSet{0b11000});
    EXPECT_EQ(split.takes_over_from(3, of(0b11110)), 0U) << "it is another bridge port";
    EXPECT_EQ(of(0b110).takes_over_from(2, Aggregations()), only(PortIndex{1}));
}

TEST(Aggregations, HaveLinkAsLongAsOneMemberHas) {
    const Aggregations made = two_groups();
    EXPECT_EQ(made.bridge_ports(0b111'1111), 0b001'0111U);
    EXPECT_EQ(made.bridge_ports(0b100'0001), 0b000'0011U);
    EXPECT_EQ(made.bridge_ports(0b010'0000), 0b001'0000U);
    EXPECT_EQ(Aggregations().bridge_ports(0b101), 0b101U);
}

TEST(Aggregations, APortOfItsOwnSendsForItself) {
    EXPECT_EQ(two_groups().senders(0b101, 0b111'1111, [](DistributionHash) { return 0U; }), 0b101U);
}

TEST(Aggregations, FlowsSpreadOverTheMembers) {
    const Aggregations made = two_groups();
    std::array<int, max_ports> flows{};
    for (uint64_t n = 0; n < 3000; ++n) ++flows[sender(made, 1, ~PortSet{0}, nth_flow(n))];
    for (const std::size_t member : {1U, 3U, 6U}) EXPECT_NEAR(flows[member], 1000, 150);
}

TEST(Aggregations, OnlyTheFlowsOfALostMemberMove) {
    const Aggregations made = two_groups();
    const PortSet without_3 = ~only(3);
    std::array<int, max_ports> moved_to{};
    for (uint64_t n = 0; n < 3000; ++n) {
        const PortIndex before = sender(made, 1, ~PortSet{0}, nth_flow(n));
        const PortIndex now = sender(made, 1, without_3, nth_flow(n));
        if (before != 3) {
            EXPECT_EQ(now, before);
        } else {
            ++moved_to[now];
        }
    }
    EXPECT_NEAR(moved_to[1], 500, 100);
    EXPECT_NEAR(moved_to[6], 500, 100);
}

TEST(Aggregations, TheLastMemberSendsEverything) {
    const Aggregations made = two_groups();
    for (uint64_t n = 0; n < 100; ++n) EXPECT_EQ(sender(made, 1, only(6), nth_flow(n)), 6);
}

// --- flow ----------------------------------------------------------------------------------------

// IPv4 from 10.0.0.`last`; `fragment` is the field beside the flags.
Octets ipv4(uint8_t last, uint16_t source_port, uint16_t fragment = 0, uint8_t protocol = 17) {
    Octets octets =
        hex("020000000101 020000000100 0800"
            "4500 0026 0000 0000 4000 0000 0a000000 0a000063"
            "0000 0035 0012 0000 00000000000000000000");
    octets[14 + 15] = last;
    write_16(&octets[14 + 6], fragment);
    octets[14 + 9] = protocol;
    write_16(&octets[34], source_port);
    return octets;
}
uint64_t flow_of(DistributionHash by, const Octets& octets, uint8_t network_offset = 14,
                 unsigned from = 0) {
    return Flow(by, 7)(Fdb::key_of(1, station(from)), Fdb::key_of(1, station(1)), octets,
                       network_offset);
}

TEST(Flow, ByAddressesLooksNoFurther) {
    EXPECT_EQ(flow_of(DistributionHash::l2, ipv4(1, 5)), flow_of(DistributionHash::l2, ipv4(2, 6)));
    EXPECT_NE(flow_of(DistributionHash::l2, ipv4(1, 5)),
              flow_of(DistributionHash::l2, ipv4(1, 5), 14, 2));
}

TEST(Flow, ByIpDependsOnAddressesAndNotOnPorts) {
    EXPECT_EQ(flow_of(DistributionHash::l3, ipv4(1, 5)), flow_of(DistributionHash::l3, ipv4(1, 6)));
    EXPECT_NE(flow_of(DistributionHash::l3, ipv4(1, 5)), flow_of(DistributionHash::l3, ipv4(2, 5)));
    // Frames behind a router all have its MAC address.
    EXPECT_EQ(flow_of(DistributionHash::l3, ipv4(1, 5)),
              flow_of(DistributionHash::l3, ipv4(1, 5), 14, 2));
}

TEST(Flow, ByPortsDependsOnThem) {
    EXPECT_NE(flow_of(DistributionHash::l4, ipv4(1, 5)), flow_of(DistributionHash::l4, ipv4(1, 6)));
    EXPECT_NE(flow_of(DistributionHash::l4, ipv4(1, 5)),
              flow_of(DistributionHash::l4, ipv4(1, 5, 0, 6)));
}

// A first one (more follow) as well as a later one, whose first octets are no ports.
TEST(Flow, OfFragmentsOnlyAddressesCount) {
    const uint64_t whole = flow_of(DistributionHash::l3, ipv4(1, 5));
    EXPECT_EQ(flow_of(DistributionHash::l4, ipv4(1, 5, 0x2000)), whole);
    EXPECT_EQ(flow_of(DistributionHash::l4, ipv4(1, 9, 0x2010)), whole);
    EXPECT_EQ(flow_of(DistributionHash::l4, ipv4(1, 9, 0x0020)), whole);
    EXPECT_NE(flow_of(DistributionHash::l4, ipv4(1, 9, 0x4000)), whole);  // "don't fragment"
}

TEST(Flow, WithoutPortsByIpAndWithoutIpByAddresses) {
    EXPECT_EQ(flow_of(DistributionHash::l4, ipv4(1, 5, 0, 1)),
              flow_of(DistributionHash::l3, ipv4(1, 5)));
    EXPECT_EQ(flow_of(DistributionHash::l4, ipv4(1, 5), 0),
              flow_of(DistributionHash::l2, ipv4(1, 5)));
}

TEST(Flow, OfIpv6ReadsAllOfBothAddresses) {
    Octets octets =
        hex("020000000101 020000000100 86dd 6000 0000 0008 1140"
            "20010db8000000000000000000000001 20010db8000000000000000000000002"
            "1000 2000 0008 0000");
    const uint64_t before = flow_of(DistributionHash::l4, octets);
    EXPECT_EQ(flow_of(DistributionHash::l4, octets), before);
    for (const std::size_t at : {14U + 8, 14U + 23, 14U + 24, 14U + 39, 14U + 41, 14U + 43}) {
        octets[at] ^= 1;
        EXPECT_NE(flow_of(DistributionHash::l4, octets), before) << at;
        octets[at] ^= 1;
    }
}

TEST(Flow, ReadsNothingBehindTheFrame) {
    const Octets whole = ipv4(1, 5);
    for (std::size_t length = 34; length <= whole.size(); ++length) {
        const test::Fenced cut(std::span<const uint8_t>(whole).first(length));
        const bool has_ports = length >= 38;
        EXPECT_EQ(Flow(DistributionHash::l4, 7)(Fdb::key_of(1, station(0)),
                                                Fdb::key_of(1, station(1)), cut.octets(), 14),
                  flow_of(has_ports ? DistributionHash::l4 : DistributionHash::l3, whole));
    }
}

// The flows that one switch sends by one member are spread evenly over the members of the next
// switch, whether the two seeds are close or far apart.
TEST(Flow, SwitchesInARowChooseIndependently) {
    constexpr std::size_t members = 4;
    constexpr int flows = 16'384;
    Random random(5);
    for (uint64_t pair = 0; pair < 40; ++pair) {
        const bool near = pair % 2 == 0;
        const uint64_t one = near ? pair : uint64_t{random.next()} << 32 | random.next();
        const uint64_t other = near ? pair + 1 : uint64_t{random.next()} << 32 | random.next();
        for (const DistributionHash by : {DistributionHash::l2, DistributionHash::l4}) {
            std::array<std::array<int, members>, members> chosen{};
            Octets octets = ipv4(1, 0);
            for (uint16_t n = 0; n < flows; ++n) {
                write_16(&octets[34], static_cast<uint16_t>(0xC000 + n));
                const auto member = [&](uint64_t seed) {
                    const uint64_t flow = Flow(by, seed)(Fdb::key_of(1, station(n)),
                                                         Fdb::key_of(1, station(1)), octets, 14);
                    return (flow >> 32) * members >> 32;
                };
                ++chosen[member(one)][member(other)];
            }
            for (const auto& by_other : chosen) {
                for (const int count : by_other) EXPECT_NEAR(count, flows / 16, flows / 16 / 5);
            }
        }
    }
}

TEST(Flow, ASeedMakesAnotherChoice) {
    const auto of = [](uint64_t seed) {
        return Flow(DistributionHash::l2, seed)(Fdb::key_of(1, station(0)),
                                                Fdb::key_of(1, station(1)), {}, 0);
    };
    EXPECT_NE(of(1), of(2));
}

}  // namespace
}  // namespace sluice
