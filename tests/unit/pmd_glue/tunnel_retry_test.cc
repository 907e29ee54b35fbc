// Link-level retry through a tunnel between two switches, by their devices: we hold the network
// between them, and see what goes over it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>

#include "dataplane/poll.h"
#include "dataplane/retry/retry_shim.h"
#include "dataplane/types/random.h"
#include "pmd_glue/devices.h"
#include "tests/support/encapsulated.h"
#include "tests/support/octets.h"
#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd {
namespace {

using test::Octets;

constexpr PortIndex to_host = 0;
constexpr PortIndex by_wan = 1;
constexpr PortIndex by_tunnel = 2;
constexpr PrioritySet three = only_priority(3);
constexpr MacAddress far_host = test::station(2);
constexpr std::size_t at_source_port = 34;
constexpr std::size_t at_tos = 15;

struct SiteAbout {
    std::string name;
    UnderlayAddresses own;
    Encapsulation encapsulation;
    PortIndex far_host_at;
};

class Site {
  public:
    Site(const SiteAbout& about, Pool& pool) : pool_(pool), dataplane_(settings_of(about)) {
        PortRequest request;
        request.rx_descriptors = request.tx_descriptors = 512;
        const auto open = [&](const std::string& device) {
            request.name = device;
            request.device = *parse_device(device);
            return std::move(*Port::open(request, pool));
        };
        const std::string ring = "ring:retry_" + about.name;
        own_[to_host] = open(ring + "_host/a");
        host_ = open(ring + "_host/b");
        far_ = open(ring + "_wan/b");
        request.underlay = about.own;
        own_[by_wan] = open(ring + "_wan/a");
        request.underlay = std::nullopt;
        request.tunnel = {.underlay = by_wan, .encapsulation = about.encapsulation};
        own_[by_tunnel] = open("vxlan:wan/192.0.2.99/7");
        Ports ports{};
        for (PortIndex port = 0; port < own_.size(); ++port) {
            ports[port] = &own_[port]->bursts();
            dataplane_.set_link(port, true);
        }
        dataplane_.retries().set_peer(by_tunnel, LinkPeer::able, three);
        devices_.use(ports, dataplane_);
    }
    ~Site() { devices_.free_own(); }

    void poll(Nanos now) { poll_(now, 1); }
    void stop_receiving() { poll_.stop_receiving(); }
    void know(MacAddress next_hop) { own_[by_tunnel]->tunnel_end()->set_next_hop(next_hop); }
    [[nodiscard]] MacAddress address() const { return own_[by_wan]->address(); }
    [[nodiscard]] TunnelEnd& tunnel() { return *own_[by_tunnel]->tunnel_end(); }
    [[nodiscard]] PortRetry& end() { return dataplane_.retries().end(by_tunnel); }

    void from_host(const Octets& octets) { give(*host_, octets); }
    void from_network(const Octets& octets) { give(*far_, octets); }
    std::vector<Octets> to_host_now() { return take(*host_); }
    std::vector<Octets> to_network_now() { return take(*far_); }

  private:
    static Settings settings_of(const SiteAbout& about) {
        Settings settings;
        settings.ports.resize(3);
        settings.fdb.capacity = 256;
        settings.fdb.static_entries = {{.vlan = 1, .address = far_host, .port = about.far_host_at}};
        settings.buffer.size = Bytes(1024 * 1024);
        for (PortSettings& port : settings.ports) {
            port.address = {uint64_t{0x0200'0000'0300} + about.own.ipv4.bits % 256};
            port.pfc = {.lossless = three,
                        .xoff = Bytes(64 * 1024),
                        .xon = Bytes(32 * 1024),
                        .headroom = Bytes(64 * 1024)};
        }
        settings.ports[by_tunnel].underlay = by_wan;
        settings.ports[by_tunnel].retry = {.is_on = true, .replay_timer = Nanos(1'000'000)};
        return settings;
    }
    void give(Port& port, const Octets& octets) {
        std::array<Frame, 1> frame;
        ASSERT_TRUE(pool_.allocate(frame, static_cast<uint16_t>(octets.size())));
        std::ranges::copy(octets, frame[0].data);
        ASSERT_EQ(port.bursts().transmit(frame), 1U);
    }
    std::vector<Octets> take(Port& port) {
        std::vector<Octets> all;
        std::array<Frame, max_burst> burst;
        while (const std::size_t count = port.bursts().receive(burst)) {
            for (const Frame& frame : std::span(burst).first(count)) {
                all.emplace_back(frame.data, frame.data + frame.length);
            }
            free_frames(pool_, std::span(burst).first(count));
        }
        return all;
    }

    Pool& pool_;
    std::array<std::unique_ptr<Port>, 3> own_;
    std::unique_ptr<Port> host_;
    std::unique_ptr<Port> far_;
    Switch dataplane_;
    Devices devices_{pool_};
    Poll<Devices> poll_{dataplane_, dataplane_.shard(0), devices_};
};

// A frame to the far host, of priority 3, and of a flow of its own.
Octets frame_of_flow(uint16_t flow, uint8_t pcp = 3) {
    Octets octets = test::datagram(flow);
    write_address(octets.data(), far_host);
    const Octets tag = {0x81, 0, static_cast<uint8_t>(pcp << 5), 0};
    octets.insert(octets.begin() + 12, tag.begin(), tag.end());
    octets.resize(64);
    return octets;
}
uint16_t flow_of(const Octets& octets) { return read_16(&octets[38]); }
uint8_t tos_of(const Octets& octets) { return octets[19]; }

// Frames as they went, in their order.
std::vector<uint16_t> flows_of(const std::vector<Octets>& frames) {
    std::vector<uint16_t> flows;
    for (const Octets& octets : frames) flows.push_back(flow_of(octets));
    return flows;
}
std::vector<uint16_t> first_flows(uint16_t count) {
    std::vector<uint16_t> flows(count);
    for (uint16_t flow = 0; flow < count; ++flow) flows[flow] = flow;
    return flows;
}

class TunnelRetryTest : public testing::Test {
  protected:
    void open(const Encapsulation& forth = VxlanTunnel{{0xC000'0202}, 7},
              const Encapsulation& back = VxlanTunnel{{0xC000'0201}, 7}) {
        const UnderlayAddresses left{.ipv4 = {0xC000'0201}, .ipv6 = test::ipv6_of(1, 1)};
        const UnderlayAddresses right{.ipv4 = {0xC000'0202}, .ipv6 = test::ipv6_of(2, 1)};
        a = std::make_unique<Site>(SiteAbout{"a", left, forth, by_tunnel}, *pool_);
        b = std::make_unique<Site>(SiteAbout{"b", right, back, to_host}, *pool_);
        a->know(b->address());
        b->know(a->address());
        turn(3);
        ASSERT_TRUE(a->end().is_open());
        seen.clear();
    }
    void TearDown() override {
        a.reset();
        b.reset();
        EXPECT_EQ(pool_->available(), pool_->size()) << "buffers were lost";
    }
    void turn(int times = 1) {
        for (; times > 0; --times) {
            now += Nanos(20'000);
            for (Octets& octets : a->to_network_now()) {
                seen.push_back(octets);
                if (!loses()) b->from_network(changed(std::move(octets)));
            }
            for (const Octets& octets : b->to_network_now()) a->from_network(octets);
            a->poll(now);
            b->poll(now);
            for (Octets& octets : b->to_host_now()) delivered.push_back(std::move(octets));
        }
    }
    // Returns the numbered frames that went over the network, each whole.
    [[nodiscard]] std::vector<Octets> numbered() const {
        std::vector<Octets> frames;
        for (const Octets& octets : seen) {
            const auto inner = std::span(octets).subspan(vxlan_octets);
            const auto shim = read_retry_shim(inner);
            if (shim && shim->kind == RetryKind::data) frames.push_back(octets);
        }
        return frames;
    }

    std::unique_ptr<Pool> pool_ = make_pool();
    std::unique_ptr<Site> a;
    std::unique_ptr<Site> b;
    Nanos now{1'000'000'000};
    std::vector<Octets> seen;  // from a
    std::vector<Octets> delivered;
    std::function<bool()> loses = [] { return false; };
    std::function<Octets(Octets)> changed = [](Octets octets) { return octets; };
};

TEST_F(TunnelRetryTest, WhatTheNetworkLosesArrivesOnceAndInOrder) {
    open();
    loses = [chance = Random(1)]() mutable { return chance.next() % 5 == 0; };
    for (uint16_t flow = 0; flow < 200; ++flow) {
        a->from_host(frame_of_flow(flow));
        if (flow % 20 == 19) turn();
    }
    turn(400);
    EXPECT_EQ(flows_of(delivered), first_flows(200));
    EXPECT_EQ(delivered.front(), frame_of_flow(0));
    EXPECT_GT(a->end().sender().counts().replayed, 0U);
    EXPECT_EQ(a->end().sender().kept(), 0U);
}

TEST_F(TunnelRetryTest, ASessionGoesOneWayAndAsItsPriority) {
    open();
    loses = [count = 0]() mutable { return count++ == 0; };
    for (uint16_t flow = 0; flow < 9; ++flow) a->from_host(frame_of_flow(flow));
    turn(60);
    ASSERT_EQ(delivered.size(), 9U);
    const std::vector<Octets> frames = numbered();
    EXPECT_GE(frames.size(), 18U) << "all went again";
    std::set<uint16_t> ways;
    for (const Octets& octets : frames) {
        ways.insert(read_16(&octets[at_source_port]));
        EXPECT_EQ(octets[at_tos], 3 << 5 | 1) << "its priority, and the ECN that it carries";
    }
    EXPECT_EQ(ways.size(), 1U);
    seen.clear();
    for (uint16_t flow = 0; flow < 9; ++flow) a->from_host(frame_of_flow(flow, 0));
    turn(3);
    ways.clear();
    for (const Octets& octets : seen) ways.insert(read_16(&octets[at_source_port]));
    EXPECT_GT(ways.size(), 5U) << "what has no number goes by its flow";
}

TEST_F(TunnelRetryTest, CongestionOfTheNetworkIsSaidByWhatIsCarried) {
    open();
    loses = [chance = Random(1)]() mutable { return chance.next() % 5 == 0; };
    changed = [](Octets octets) {
        octets[at_tos] |= 3;
        std::fill_n(&octets[24], 2, uint8_t{0});
        uint32_t sum = 0;
        for (std::size_t at = 14; at < 34; at += 2) sum += read_16(&octets[at]);
        write_16(&octets[24], static_cast<uint16_t>(~(sum % 0xFFFF)));
        return octets;
    };
    for (uint16_t flow = 0; flow < 20; ++flow) a->from_host(frame_of_flow(flow));
    turn(200);
    EXPECT_EQ(flows_of(delivered), first_flows(20));
    for (const Octets& octets : delivered) {
        EXPECT_EQ(tos_of(octets), 3);
        uint32_t sum = 0;
        for (std::size_t at = 18; at < 38; at += 2) sum += read_16(&octets[at]);
        EXPECT_EQ(sum % 0xFFFF, 0U) << "the checksum of its header";
    }
}

// A buffer has no room for that in front of a frame.
TEST_F(TunnelRetryTest, BeforeALongListOfSegmentsFramesAreCopied) {
    const Ipv6Address sid_of_a = test::ipv6_of(1, 0xD2);
    const Ipv6Address sid_of_b = test::ipv6_of(2, 0xD2);
    const Ipv6Address node = test::ipv6_of(8, 1);
    changed = [&](Octets octets) {  // as the nodes of the path do
        write_ipv6(&octets[38], sid_of_b);
        octets[57] = 0;
        return octets;
    };
    open(Srv6Tunnel{.segments = {node, node, node, sid_of_b},
                    .count = 4,
                    .reduced = false,
                    .local_sid = sid_of_a},
         Srv6Tunnel{.segments = {sid_of_a}, .local_sid = sid_of_b});
    loses = [chance = Random(1)]() mutable { return chance.next() % 5 == 0; };
    for (uint16_t flow = 0; flow < 20; ++flow) a->from_host(frame_of_flow(flow));
    turn(200);
    EXPECT_EQ(flows_of(delivered), first_flows(20));
    EXPECT_GE(a->tunnel().copied.value(), 20U);
}

TEST_F(TunnelRetryTest, WhatIsForOthersHoldsNoAnswerUpAtAStop) {
    open();
    for (uint16_t flow = 0; flow < 5; ++flow) a->from_host(frame_of_flow(flow));
    turn();
    ASSERT_EQ(a->end().sender().kept(), 5U);
    a->stop_receiving();
    for (int frame = 0; frame < 300; ++frame) {
        a->from_network(test::octets_of({.from = test::station(9)}));
    }
    turn(5);
    EXPECT_EQ(a->end().sender().kept(), 0U);
    EXPECT_EQ(flows_of(delivered), first_flows(5));
}

}  // namespace
}  // namespace sluice::pmd
