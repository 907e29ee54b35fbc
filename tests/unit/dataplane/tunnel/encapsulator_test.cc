#include "dataplane/tunnel/encapsulator.h"

#include <gtest/gtest.h>

#include <set>

#include "dataplane/tunnel/decapsulator.h"
#include "tests/support/encapsulated.h"

namespace sluice {
namespace {

using test::datagram;
using test::encapsulated;
using test::hex;
using test::Octets;
using test::router;

constexpr MacAddress own{0x0200'0000'0001};
constexpr UnderlayAddresses here{.mac = own, .ipv4 = {0xC000'0201}};
constexpr VxlanTunnel tunnel{.remote = {0xC633'6402}, .vni = 0x123456};

uint16_t source_port(const Octets& outer) { return read_16(&outer[34]); }

TEST(Encapsulator, KeepsAFlowInOneSourcePortAndSpreadsOthers) {
    const Encapsulator encapsulator(tunnel, here, {}, 1);
    std::set<uint16_t> ports;
    for (uint16_t flow = 0; flow < 64; ++flow) {
        const uint16_t port = source_port(encapsulated(encapsulator, datagram(flow), 0));
        EXPECT_EQ(port, source_port(encapsulated(encapsulator, datagram(flow), 7)));
        EXPECT_GE(port, 49152);
        ports.insert(port);
    }
    EXPECT_GT(ports.size(), 60U);
}

TEST(Encapsulator, SpreadsByAddressesWhatHasNoIp) {
    const Encapsulator encapsulator(tunnel, here, {}, 1);
    std::set<uint16_t> ports;
    for (unsigned from = 0; from < 64; ++from) {
        const Octets inner = test::octets_of({.from = test::station(from)});
        ports.insert(source_port(encapsulated(encapsulator, inner, 0)));
    }
    EXPECT_GT(ports.size(), 60U);
}

TEST(Encapsulator, SaysThePriorityByTheTableItIsGiven) {
    OuterMarks marks;
    marks.dscps[3] = 26;
    const Encapsulator encapsulator(tunnel, here, marks, 1);
    const Octets inner = test::octets_of(test::FrameSpec{});
    EXPECT_EQ(encapsulated(encapsulator, inner, 3)[15], 26 << 2);
    EXPECT_EQ(encapsulated(encapsulator, inner, 7)[15], 56 << 2);
}

TEST(Encapsulator, WritesABurstAsItWritesEachFrame) {
    UnderlayAddresses both{.mac = own, .ipv4 = here.ipv4, .ipv6 = test::ipv6_of(1, 1)};
    const std::array<Encapsulation, 5> kinds = {
        tunnel, Vxlan6Tunnel{test::ipv6_of(2, 2), 7},
        Srv6Tunnel{.segments = {test::ipv6_of(2, 0xD2)}, .reduced = false},
        MplsTunnel{.labels = {100}}, MplsTunnel{.labels = {100}, .entropy_label = true}};
    for (const Encapsulation& kind : kinds) {
        both.vlan = both.vlan == 0 ? 77 : 0;
        const Encapsulator encapsulator(kind, both, {}, 1);
        std::array<Octets, 3> wholes;
        std::array<Frame, 3> burst{};
        for (std::size_t number = 0; number < burst.size(); ++number) {
            const Octets inner = datagram(static_cast<uint16_t>(number));
            wholes[number].resize(encapsulator.octets());
            wholes[number].insert(wholes[number].end(), inner.begin(), inner.end());
            burst[number].data = wholes[number].data();
            burst[number].length = static_cast<uint16_t>(wholes[number].size());
            burst[number].priority = static_cast<Priority>(2 * number);
        }
        encapsulator.write(burst, router);
        for (std::size_t number = 0; number < burst.size(); ++number) {
            EXPECT_EQ(wholes[number],
                      encapsulated(encapsulator, datagram(static_cast<uint16_t>(number)),
                                   static_cast<Priority>(2 * number)))
                << kind.index();
        }
    }
}

// RFC 6040 4.1.
TEST(Encapsulator, CopiesEcnOfTheInnerHeader) {
    const Encapsulator encapsulator(tunnel, here, {}, 1);
    for (uint8_t ecn = 0; ecn < 4; ++ecn) {
        Octets inner = datagram();
        inner[15] = ecn;
        EXPECT_EQ(encapsulated(encapsulator, inner, 0)[15], ecn);
    }
}

TEST(Encapsulator, CopiesEcnBehindTagsAndOfVersion6) {
    const Encapsulator encapsulator(tunnel, here, {}, 1);
    const Octets tagged = hex(
        "02000000000b 02000000000a 88a8 0064 8100 0065 86dd"
        "6030 0000 0000 3b40 00000000000000000000000000000001 00000000000000000000000000000002");
    EXPECT_EQ(encapsulated(encapsulator, tagged, 0)[15], 3);
}

TEST(Encapsulator, PutsATagOfItsVlanInFrontByPriority) {
    UnderlayAddresses both{.mac = own, .ipv4 = here.ipv4, .ipv6 = test::ipv6_of(1, 1)};
    OuterMarks marks;
    marks.pcps[3] = 5;
    for (const Encapsulation& kind :
         {Encapsulation(tunnel), Encapsulation(Vxlan6Tunnel{test::ipv6_of(2, 2), 7}),
          Encapsulation(Srv6Tunnel{.segments = {test::ipv6_of(2, 0xD2)}}),
          Encapsulation(MplsTunnel{.labels = {100}})}) {
        both.vlan = 0;
        Octets expected = encapsulated(Encapsulator(kind, both, marks, 1));
        both.vlan = 77;
        const Octets tag = hex("8100 a04d");
        expected.insert(expected.begin() + 12, tag.begin(), tag.end());
        const Encapsulator encapsulator(kind, both, marks, 1);
        EXPECT_EQ(encapsulator.octets(), outer_octets(kind) + 4);
        EXPECT_EQ(encapsulated(encapsulator), expected) << kind.index();
        EXPECT_EQ(encapsulated(encapsulator, datagram(), 7)[14], 7 << 5);
    }
}

TEST(Encapsulator, WritesAsMuchAsItsKindHas) {
    Srv6Tunnel srv6{.count = 2};
    EXPECT_EQ(Encapsulator(tunnel, here, {}, 1).octets(), 50U);
    EXPECT_EQ(Encapsulator(srv6, here, {}, 1).octets(), 78U);
    srv6.reduced = false;
    EXPECT_EQ(Encapsulator(srv6, here, {}, 1).octets(), 94U);
    srv6.reduced = true;
    srv6.count = 1;
    EXPECT_EQ(Encapsulator(srv6, here, {}, 1).octets(), 54U);
    EXPECT_EQ(Encapsulator(MplsTunnel{.count = 3}, here, {}, 1).octets(), 30U);
}

}  // namespace
}  // namespace sluice
