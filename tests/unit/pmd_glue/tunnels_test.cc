// Tunnels over a ring: we hold the ring's other end.
#include "pmd_glue/tunnels.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "dataplane/tunnel/encapsulator.h"
#include "pmd_glue/devices.h"
#include "pmd_glue/packet/checksum_mark.h"
#include "tests/support/encapsulated.h"
#include "tests/support/octets.h"
#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd {
namespace {

using test::Octets;

constexpr Ipv4Address here{0xC000'0201};
constexpr Ipv4Address there{0xC000'0202};
constexpr Ipv6Address here6 = test::ipv6_of(1, 1);
constexpr MacAddress router{0x0200'0000'00FE};
constexpr PortIndex below = 1;
constexpr PortIndex over = 0;  // before it, so that neither order is meant
constexpr PortIndex by_labels = 2;
constexpr PortIndex by_segments = 3;
constexpr Ipv6Address far6 = test::ipv6_of(2, 0xD2);
constexpr Ipv6Address sid = test::ipv6_of(9, 0xD2);
constexpr uint32_t label = 99;

class TunnelsTest : public testing::Test {
  protected:
    explicit TunnelsTest(uint16_t vlan = 0) {
        PortRequest request;
        request.name = "below";
        request.device = *parse_device("ring:tunnels/a");
        request.rx_descriptors = request.tx_descriptors = 128;
        request.underlay = UnderlayAddresses{.ipv4 = here, .ipv6 = here6, .vlan = vlan};
        underlay_ = std::move(*Port::open(request, *pool_));
        request.name = "over";
        request.device = *parse_device("vxlan:below/192.0.2.2/7");
        request.underlay = std::nullopt;
        request.tunnel = {.underlay = below, .encapsulation = VxlanTunnel{there, 7}};
        tunnel_ = std::move(*Port::open(request, *pool_));
        ours_ = open_port("ring:tunnels/b", *pool_);
        request.name = "labelled";
        request.device = *parse_device("mpls:below/16001,100");
        request.tunnel = {
            .underlay = below,
            .encapsulation = MplsTunnel{.labels = {16001, 100}, .count = 2, .local_label = label}};
        labelled_ = std::move(*Port::open(request, *pool_));
        request.name = "segmented";
        request.device = *parse_device("srv6:below/2001:db8:2::d2");
        request.tunnel = {.underlay = below,
                          .encapsulation = Srv6Tunnel{.segments = {far6}, .local_sid = sid}};
        segmented_ = std::move(*Port::open(request, *pool_));
        Ports ports{};
        ports[below] = &underlay_->bursts();
        ports[over] = &tunnel_->bursts();
        ports[by_labels] = &labelled_->bursts();
        ports[by_segments] = &segmented_->bursts();
        tunnels_.use(ports);
        outside_ = Encapsulator(VxlanTunnel{here, 7}, {.mac = router, .ipv4 = there}, {}, 1);
    }
    void TearDown() override {
        tunnels_.free_kept();
        ours_.reset();
        tunnel_.reset();
        labelled_.reset();
        segmented_.reset();
        underlay_.reset();
        EXPECT_EQ(pool_->available(), pool_->size()) << "buffers were lost";
    }

    Frame frame_of(const Octets& octets) {
        std::array<Frame, 1> frame;
        EXPECT_TRUE(pool_->allocate(frame, static_cast<uint16_t>(octets.size())));
        std::ranges::copy(octets, frame[0].data);
        return frame[0];
    }
    void arrive(const Octets& octets) {
        const Frame frame = frame_of(octets);
        ASSERT_EQ(ours_->bursts().transmit({&frame, 1}), 1U);
    }
    Octets encapsulated(const Octets& inner) const { return encapsulated(inner, outside_); }
    Octets encapsulated(const Octets& inner, const Encapsulation& by) const {
        return encapsulated(inner, Encapsulator(by, {.mac = router, .ipv6 = far6}, {}, 1));
    }
    Octets encapsulated(const Octets& inner, const Encapsulator& by) const {
        return test::encapsulated(by, inner, 0, underlay_->address());
    }
    std::vector<Octets> octets_of_all(std::span<const Frame> frames) {
        std::vector<Octets> all;
        for (const Frame& frame : frames) all.emplace_back(frame.data, frame.data + frame.length);
        free_frames(*pool_, frames);
        return all;
    }
    std::vector<Octets> received(PortIndex port) {
        std::array<Frame, max_burst> burst;
        const std::size_t count = tunnels_.receive(port, burst);
        return octets_of_all(std::span(burst).first(count));
    }
    std::vector<Octets> left() {
        std::array<Frame, max_burst> burst;
        const std::size_t count = ours_->bursts().receive(burst);
        return octets_of_all(std::span(burst).first(count));
    }
    TunnelEnd& end() { return *tunnel_->tunnel_end(); }
    UnderlayEnd& shared() { return *underlay_->underlay_end(); }

    std::unique_ptr<Pool> pool_ = make_pool();
    std::unique_ptr<Port> underlay_;
    std::unique_ptr<Port> tunnel_;
    std::unique_ptr<Port> labelled_;
    std::unique_ptr<Port> segmented_;
    std::unique_ptr<Port> ours_;
    Tunnels tunnels_{*pool_};
    Encapsulator outside_;
};

Octets number(unsigned which, std::size_t length = 60) {
    return test::octets_of({.from = test::station(which), .length = length});
}

TEST_F(TunnelsTest, WhatArrivesIsSortedByPort) {
    arrive(number(1));
    arrive(encapsulated(number(2)));
    arrive(number(3));
    arrive(encapsulated(number(4, 300)));
    EXPECT_EQ(received(over), (std::vector<Octets>{number(2), number(4, 300)}));
    EXPECT_EQ(received(below), (std::vector<Octets>{number(1), number(3)}));
    EXPECT_EQ(end().decapsulated.value(), 2U);
}

// A station's own tunnel has a right checksum outside, and perhaps a damaged frame within.
TEST_F(TunnelsTest, ARightChecksumOutsideSaysNothingOfWhatIsInside) {
    const Frame outer = frame_of(encapsulated(number(2)));
    static_cast<rte_mbuf*>(outer.handle)->ol_flags |= packet::checksum_is_right;
    ASSERT_EQ(ours_->bursts().transmit({&outer, 1}), 1U);
    std::array<Frame, max_burst> burst;
    ASSERT_EQ(tunnels_.receive(over, burst), 1U);
    EXPECT_EQ(static_cast<rte_mbuf*>(burst[0].handle)->ol_flags & packet::checksum_is_right, 0U);
    free_frames(*pool_, std::span(burst).first(1));
}

TEST_F(TunnelsTest, AsManyAreKeptAsABurst) {
    for (unsigned burst = 0; burst < 3; ++burst) {
        for (unsigned frame = 0; frame < 30; ++frame) arrive(encapsulated(number(frame)));
        EXPECT_TRUE(received(below).empty());
    }
    std::size_t got = 0;
    for (unsigned turn = 0; turn < 5; ++turn) got += received(over).size();
    EXPECT_EQ(got, 90U) << "what found no place stayed in the device";
}

TEST_F(TunnelsTest, AShortFrameIsFilledUp) {
    arrive(encapsulated(number(1, 14)));
    Octets filled = number(1, 14);
    filled.resize(60);
    EXPECT_EQ(received(over), std::vector<Octets>{filled});
}

TEST_F(TunnelsTest, WhatArrivesByLabelsAndBySegmentsIsUnwrapped) {
    const MplsTunnel to_label{.labels = {label}};
    const Srv6Tunnel to_sid{.segments = {sid}};
    const Srv6Tunnel with_list{.segments = {sid}, .reduced = false};
    Octets filled = number(1, 14);
    filled.resize(60);
    for (const std::size_t length : {14U, 60U, 300U}) {
        const Octets whole = length == 14 ? filled : number(1, length);
        const std::vector<Octets> once = {whole};
        arrive(encapsulated(number(1, length), to_label));
        EXPECT_EQ(received(by_labels), once) << length;
        arrive(encapsulated(number(1, length), to_sid));
        EXPECT_EQ(received(by_segments), once) << length;
        arrive(encapsulated(number(1, length), with_list));
        EXPECT_EQ(received(by_segments), once) << length;
    }
    EXPECT_EQ(labelled_->tunnel_end()->decapsulated.value(), 3U);
    EXPECT_EQ(segmented_->tunnel_end()->decapsulated.value(), 6U);
}

TEST_F(TunnelsTest, AShortFrameBehindTheLongestListIsFilledUp) {
    constexpr std::size_t routing_at = 54;
    Octets whole = encapsulated(number(1, 14), Srv6Tunnel{.segments = {sid}});
    whole.insert(whole.begin() + routing_at, 512, 0);
    whole[20] = 43;
    write_16(&whole[18], 512 + 14);
    whole[routing_at] = 143;
    whole[routing_at + 1] = 512 / 8 - 1;
    whole[routing_at + 2] = 4;
    arrive(whole);
    Octets filled = number(1, 14);
    filled.resize(60);
    EXPECT_EQ(received(by_segments), std::vector<Octets>{filled});
    whole.insert(whole.begin() + routing_at + 512, 8, 0);
    write_16(&whole[18], 520 + 14);
    ++whole[routing_at + 1];
    arrive(whole);
    EXPECT_TRUE(received(by_segments).empty());
    EXPECT_EQ(shared().refused[static_cast<std::size_t>(Refusal::malformed)].value(), 1U);
}

TEST_F(TunnelsTest, RefusalsAndArpEndHere) {
    Octets wrong = encapsulated(number(1));
    wrong[48] ^= 1;
    arrive(wrong);
    Octets arp = test::hex(
        "ffffffffffff 020000000001 0806"
        "0001 0800 06 04 0001 020000000001 c0000202 000000000000 c0000201");
    arrive(arp);
    EXPECT_TRUE(received(below).empty());
    EXPECT_TRUE(received(over).empty());
    EXPECT_EQ(shared().refused[static_cast<std::size_t>(Refusal::unknown_vni)].value(), 1U);
    EXPECT_TRUE(std::ranges::equal(shared().neighbours.front(), arp));
    EXPECT_EQ(shared().received.value(), 1U);
}

const Octets announcement = test::hex(
    "ffffffffffff 020000000077 0806"
    "0001 0800 06 04 0001 020000000077 c0000202 000000000000 c0000202");

TEST_F(TunnelsTest, WhatOthersAnnounceIsReportedAndGoesOn) {
    arrive(announcement);
    EXPECT_EQ(received(below), std::vector<Octets>{announcement});
    EXPECT_TRUE(std::ranges::equal(shared().announcements.front(), announcement));
    EXPECT_TRUE(shared().neighbours.front().empty());
    EXPECT_EQ(shared().received.value(), 1U);
    for (std::size_t n = 0; n < Mailbox::slots; ++n) arrive(announcement);
    EXPECT_EQ(received(below).size(), Mailbox::slots);
    EXPECT_EQ(shared().dropped.value(), 1U) << "there was no room for the last";
    Octets longer = announcement;
    longer.resize(257);
    shared().announcements.pop();
    arrive(longer);
    EXPECT_EQ(received(below), std::vector<Octets>{longer});
    EXPECT_EQ(shared().dropped.value(), 2U);
}

// The same tunnels, with the port's addresses in a VLAN.
class TaggedTunnelsTest : public TunnelsTest {
  protected:
    TaggedTunnelsTest() : TunnelsTest(77) {}

    static Octets tagged(Octets octets) {
        const Octets tag = test::hex("8100 e04d");
        octets.insert(octets.begin() + 12, tag.begin(), tag.end());
        return octets;
    }
};

TEST_F(TaggedTunnelsTest, TakesFramesAndNeighboursWithItsTag) {
    arrive(tagged(encapsulated(number(1))));
    EXPECT_EQ(received(over), std::vector<Octets>{number(1)});
    const Octets arp = test::hex(
        "ffffffffffff 020000000001 0806"
        "0001 0800 06 04 0001 020000000001 c0000202 000000000000 c0000201");
    arrive(tagged(arp));
    EXPECT_TRUE(received(below).empty());
    EXPECT_TRUE(std::ranges::equal(shared().neighbours.front(), arp)) << "without the tag";
    arrive(tagged(announcement));
    EXPECT_EQ(received(below), std::vector<Octets>{tagged(announcement)}) << "with its tag";
    EXPECT_TRUE(std::ranges::equal(shared().announcements.front(), announcement));
    arrive(encapsulated(number(2)));
    EXPECT_EQ(received(below).size(), 1U) << "is none of theirs";
    end().set_next_hop(router);
    const Frame frame = frame_of(number(3));
    EXPECT_EQ(tunnels_.transmit(over, {&frame, 1}), 1U);
    const auto sent = left();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(read_32(&sent[0][12]), 0x8100'004DU);
    EXPECT_EQ(Octets(sent[0].begin() + vxlan_octets + 4, sent[0].end()), number(3));
}

TEST_F(TunnelsTest, WaitsForItsNextHop) {
    const Frame frame = frame_of(number(1));
    EXPECT_EQ(tunnels_.transmit(over, {&frame, 1}), 0U);
    EXPECT_EQ(octets_of_all({&frame, 1}), std::vector<Octets>{number(1)});
    EXPECT_TRUE(left().empty());
}

TEST_F(TunnelsTest, WhatIsSentIsEncapsulated) {
    end().set_next_hop(router);
    const std::array frames = {frame_of(number(1)), frame_of(number(2, 200))};
    EXPECT_EQ(tunnels_.transmit(over, frames), 2U);
    const auto sent = left();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(read_address(sent[0].data()), router);
    EXPECT_EQ(read_address(&sent[0][6]), underlay_->address());
    EXPECT_EQ(Octets(sent[0].begin() + vxlan_octets, sent[0].end()), number(1));
    EXPECT_EQ(Octets(sent[1].begin() + vxlan_octets, sent[1].end()), number(2, 200));
    Decapsulator peer({.mac = router, .ipv4 = there});
    peer.add(VxlanTunnel{here, 7});
    Octets first = sent[0];
    EXPECT_EQ(peer.look(first).kind, ArrivalKind::carried);
    EXPECT_EQ(end().encapsulated.value(), 2U);
    EXPECT_EQ(end().copied.value(), 0U);
}

TEST_F(TunnelsTest, EachHasTheOctetsOfItsKind) {
    EXPECT_EQ(tunnels_.outer_octets(over), vxlan_octets);
    ASSERT_EQ(tunnels_.outer_octets(by_labels), 26U);
    labelled_->tunnel_end()->set_next_hop(router);
    const std::array frames = {frame_of(number(1)), frame_of(number(2, 200))};
    EXPECT_EQ(tunnels_.transmit(by_labels, frames), 2U);
    const auto sent = left();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(read_16(&sent[0][12]), mpls_ether_type);
    EXPECT_EQ(Octets(sent[0].begin() + 26, sent[0].end()), number(1));
    EXPECT_EQ(Octets(sent[1].begin() + 26, sent[1].end()), number(2, 200));
    ASSERT_EQ(tunnels_.outer_octets(by_segments), 54U);
    segmented_->tunnel_end()->set_next_hop(router);
    const std::array more = {frame_of(number(3))};
    EXPECT_EQ(tunnels_.transmit(by_segments, more), 1U);
    const auto then = left();
    ASSERT_EQ(then.size(), 1U);
    EXPECT_EQ(read_ipv6(&then[0][38]), far6);
    EXPECT_EQ(Octets(then[0].begin() + 54, then[0].end()), number(3));
}

TEST_F(TunnelsTest, WhatOthersHoldIsCopied) {
    end().set_next_hop(router);
    const Frame frame = frame_of(number(1));
    Pool::share(frame.handle, 1);
    EXPECT_EQ(tunnels_.transmit(over, {&frame, 1}), 1U);
    EXPECT_EQ(end().copied.value(), 1U);
    ASSERT_EQ(left().size(), 1U);
    EXPECT_EQ(octets_of_all({&frame, 1}), std::vector<Octets>{number(1)}) << "theirs is as it was";
}

TEST_F(TunnelsTest, WhatTheDeviceRefusesIsGivenBack) {
    end().set_next_hop(router);
    std::vector<Frame> frames(max_burst);
    std::size_t sent = max_burst;
    while (sent == max_burst) {
        for (Frame& frame : frames) frame = frame_of(number(1));
        Pool::share(frames.back().handle, 1);
        sent = tunnels_.transmit(over, frames);
        if (sent == max_burst) free_frames(*pool_, std::span(frames).last(1));
    }
    ASSERT_LT(sent, max_burst);
    const auto rest = std::span(frames).subspan(sent);
    free_frames(*pool_, rest.last(1));  // the other's reference
    for (const Octets& octets : octets_of_all(rest)) EXPECT_EQ(octets, number(1));
    while (!left().empty()) continue;
}

TEST_F(TunnelsTest, AreNoneWhereThePortBelowIsGone) {
    arrive(encapsulated(number(1)));
    EXPECT_TRUE(received(below).empty());  // kept for the tunnel
    Ports ports{};
    ports[over] = &tunnel_->bursts();
    tunnels_.use(ports);
    EXPECT_EQ(tunnels_.ports(), 0U);
}

}  // namespace
}  // namespace sluice::pmd
