// EVPN of a switch whose worker and whose kernel are the test: what it asks, what follows, and that
// it asks again when something was lost.
#include "control/evpn/manager.h"

#include <gtest/gtest.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/loader.h"
#include "control/neighbours/arp.h"
#include "dataplane/shard.h"
#include "tests/support/octets.h"
#include "tests/unit/control/evpn/links.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;
using evpn::Octets;
using test::station;

constexpr Nanos begin = 1000_s;
constexpr Ipv4Address vtep{0xC000'0202};
constexpr Ipv4Address host{0x0A00'0001};
constexpr Ipv4Address far_host{0x0A00'0002};
constexpr uint32_t bridge = 3;
constexpr uint32_t device = 4;
constexpr uint32_t local = 5;

config::Configuration configuration_of(bool neigh_suppress, const std::string& tunnel) {
    auto configuration = config::load_text(
        "ports:\n"
        "- {name: host, device: ring:a}\n"
        "- {name: wan, device: ring:b, mtu: 1558, underlay: {address: 192.0.2.1/24}, "
        "vlan: {mode: access, access: 4000}}\n"
        "- {name: leaf2, device: " +
            tunnel +
            "}\n"
            "vlans: [{id: 1, ports: [host, leaf2]}]\n"
            "evpn: {grace: 10s, daemon_socket: /nowhere/at/all, vnis: [{vni: 100, device: vx100, "
            "local_device: sl100, neigh_suppress: " +
            std::string(neigh_suppress ? "true" : "false") + "}]}\n",
        "x.yaml");
    EXPECT_TRUE(configuration) << config::to_string(configuration.error().front());
    return *configuration;
}

// Plays the kernel: keeps its requests, and sends what a test gives it.
struct Played {
    std::vector<Octets> asked;
    std::vector<Octets> says;
    bool takes = true;
    bool loses = false;
    std::string why_small;
};

class PlayedKernel final : public evpn::Kernel {
  public:
    explicit PlayedKernel(Played& play) : play_(play) {}
    [[nodiscard]] const std::string& why_not() const override { return why_not_; }
    [[nodiscard]] const std::string& why_small() const override { return play_.why_small; }
    Taken take(const Visit& visit) override {
        for (const Octets& octets : std::exchange(play_.says, {})) visit(octets);
        return {.lost = std::exchange(play_.loses, false)};
    }
    [[nodiscard]] bool send(std::span<const uint8_t> octets) override {
        if (play_.takes) play_.asked.emplace_back(octets.begin(), octets.end());
        return play_.takes;
    }

  private:
    Played& play_;
    std::string why_not_;
};

nlmsghdr head_of(const Octets& octets) {
    nlmsghdr head{};
    std::memcpy(&head, octets.data(), sizeof head);
    return head;
}

// Messages of the kernel.
Octets with_head(uint16_t type, uint16_t flags, uint32_t number, const Octets& body) {
    Octets octets(sizeof(nlmsghdr));
    octets.insert(octets.end(), body.begin(), body.end());
    const nlmsghdr head{.nlmsg_len = static_cast<uint32_t>(octets.size()),
                        .nlmsg_type = type,
                        .nlmsg_flags = flags,
                        .nlmsg_seq = number,
                        .nlmsg_pid = 0};
    std::memcpy(octets.data(), &head, sizeof head);
    return octets;
}
Octets done(uint32_t number, int error = 0, uint16_t flags = NLM_F_MULTI) {
    Octets body(sizeof error);
    error = -error;
    std::memcpy(body.data(), &error, sizeof error);
    return with_head(NLMSG_DONE, flags, number, body);
}
// Two links in one bridge: the device of VNI 100, and sl100.
const Octets vx100 = test::vx100();
const Octets sl100 = test::hex(
    "44000000 10000000 00000000 00000000"
    "00 00 0100 05000000 43100100 00000000"
    "0a000300 736c31303000 0000"
    "08000a00 03000000"
    "10001200 0b000400 62726964676500 00");
Octets of_bridge(MacAddress address, uint32_t interface) {
    Octets octets = evpn::add_to_bridge(0, interface, address, false);
    octets[26] = 0x10;  // NTF_EXT_LEARNED
    const Octets master = test::hex("08000900 03000000");
    octets.insert(octets.end(), master.begin(), master.end());
    octets[0] = static_cast<uint8_t>(octets.size());
    return octets;
}
Octets of_device(MacAddress address) {
    Octets octets = evpn::remove_from_device(0, device, address, vtep);
    octets[4] = 0x1c;
    return octets;
}
Octets neighbour(Ipv4Address ip, MacAddress mac) {
    Octets octets = evpn::add_neighbour(0, bridge, {ip, mac});
    octets[26] = 0x10;
    return octets;
}

class EvpnManagerTest : public testing::Test {
  protected:
    explicit EvpnManagerTest(bool neigh_suppress = false, std::string why_small = "",
                             const std::string& tunnel = "vxlan:wan/192.0.2.2/100")
        : configuration(configuration_of(neigh_suppress, tunnel)) {
        played.why_small = std::move(why_small);
        for (PortIndex port = 0; port < 3; ++port) dataplane.set_link(port, true);
        manager = std::make_unique<EvpnManager>(
            dataplane, configuration, configuration.settings, now,
            [this] { not_taken.push_back(dataplane.remote_orders_not_taken()); }, recorded.sink,
            [this] { return std::make_unique<PlayedKernel>(played); },
            [this](PortIndex port) { return port == 2 ? &bundle : nullptr; });
    }

    void proceed(Nanos time = 20_ms) {
        now += time;
        manager->tick(now);
        for (const RecordedEvents::Row& event : recorded.take()) kinds.push_back(event.kind);
        dataplane.shard(0).housekeep(now, released);
        released.clear();
    }
    // Returns the number of the last request, which is a dump of that type.
    uint32_t dump(uint16_t type) {
        EXPECT_FALSE(played.asked.empty());
        const nlmsghdr head = head_of(played.asked.back());
        EXPECT_EQ(head.nlmsg_type, type);
        played.asked.clear();
        return head.nlmsg_seq;
    }
    void list(uint16_t type, const std::vector<Octets>& what) {
        const uint32_t number = dump(type);
        played.says = what;
        played.says.push_back(done(number));
        proceed();
    }
    void list_all() {
        proceed();
        list(RTM_GETLINK, {vx100, sl100});
        list(RTM_GETNEIGH, {});
    }
    void receive(PortIndex port, std::vector<uint8_t> octets) {
        Frame frame{};
        frame.handle = &octets;
        frame.data = octets.data();
        frame.length = static_cast<uint16_t>(octets.size());
        dataplane.shard(0).receive(port, std::span(&frame, 1), now, released);
        released.clear();
        for (int slot = 0; slot < 8; ++slot) {
            dataplane.shard(0).match();
            dataplane.shard(0).transfer();
            for (PortIndex output = 0; output < 3; ++output) {
                std::array<Frame, max_burst> burst;
                const std::size_t count = dataplane.shard(0).transmit(output, burst, now);
                dataplane.shard(0).confirm(output, std::span(burst).first(count), count);
                sent[output] += count;
            }
        }
    }
    [[nodiscard]] std::size_t events_of(const std::string& kind) const {
        return static_cast<std::size_t>(std::ranges::count(kinds, kind));
    }
    [[nodiscard]] const EvpnManager::OneNetwork& network() const {
        return *manager->networks().front();
    }
    [[nodiscard]] EntryKind kind_of(MacAddress address) const {
        const Fdb& fdb = dataplane.fdb();
        const auto found = fdb.find(fdb.probe(Fdb::key_of(1, address)));
        return found ? found.kind() : EntryKind::learned;
    }

    const config::Configuration configuration;
    Switch dataplane{configuration.settings};
    Played played;
    Nanos now = begin;
    Released released;
    std::array<std::size_t, 3> sent{};
    std::vector<std::string> kinds;
    std::vector<std::size_t> not_taken;  // orders, each time that the worker was to be woken
    RecordedEvents recorded;
    Bundle bundle{std::array{VlanVni{.vni = 100}}, 4, false, 1};  // with room for few
    Vteps* const vteps = &bundle[0];
    std::unique_ptr<EvpnManager> manager;
};

TEST_F(EvpnManagerTest, AsksForLinksAndEntriesAndIsUp) {
    EXPECT_EQ(network().why, "the kernel was not queried yet");
    list_all();
    EXPECT_EQ(network().why, "");
    EXPECT_EQ(events_of("evpn_up"), 1U);
    EXPECT_EQ(manager->resyncs(), 0U);
    proceed();
    EXPECT_TRUE(played.asked.empty());
}

TEST_F(EvpnManagerTest, WhatTheBridgeHasIsInTheFdb) {
    list_all();
    played.says = {of_bridge(station(7), device), of_device(station(7))};
    proceed();
    EXPECT_EQ(kind_of(station(7)), EntryKind::remote);
    EXPECT_EQ(network().network.counts().remote, 1U);
}

class EvpnManagerToManyTest : public EvpnManagerTest {
  protected:
    EvpnManagerToManyTest() : EvpnManagerTest(false, "", "vxlan:wan/100") {}
};

TEST_F(EvpnManagerToManyTest, KeepsItsVtepsAndWhoIsBehindThem) {
    list_all();
    played.says = {of_bridge(station(7), device), of_device(station(7)), of_device({})};
    proceed();
    EXPECT_EQ(kind_of(station(7)), EntryKind::remote);
    const auto id = vteps->from(vtep);
    ASSERT_TRUE(id);
    EXPECT_EQ(vteps->behind(station(7)), id);
    EXPECT_TRUE(vteps->is_flooded(Vteps::slot_of(*id)));
    EXPECT_EQ(vteps->count(), 1U);
    EXPECT_EQ(events_of("evpn_no_tunnel"), 0U);
    // A host here says that it has moved: the kernel has it at the local device.
    receive(0, octets_of(test::FrameSpec{.to = station(9), .from = station(7)}));
    played.says = {of_bridge(station(7), local)};
    proceed();
    EXPECT_EQ(vteps->behind(station(7)), std::nullopt);
}

TEST_F(EvpnManagerToManyTest, ThoseThatAreGoneMakeRoomForOthers) {
    list_all();
    for (uint32_t number = 1; number <= Vteps::most; ++number) vteps->add({number});
    played.says = {of_bridge(station(7), device), of_device(station(7)), of_device({})};
    proceed();
    const auto id = vteps->from(vtep);
    ASSERT_TRUE(id);
    EXPECT_EQ(vteps->behind(station(7)), id);
    EXPECT_TRUE(vteps->is_flooded(Vteps::slot_of(*id)));
    EXPECT_EQ(vteps->count(), 1U);
}

TEST_F(EvpnManagerToManyTest, ReportsWhatFindsNoRoomBehindVteps) {
    list_all();
    const auto come = [&](unsigned first, unsigned end) {
        for (unsigned number = first; number < end; ++number) {
            played.says.push_back(of_bridge(station(number), device));
            played.says.push_back(of_device(station(number)));
        }
        proceed();
        proceed(2_s);
    };
    come(10, 50);
    EXPECT_GT(vteps->left_out(), 20U);
    EXPECT_EQ(events_of("evpn_no_room"), 1U);
    proceed(2_s);
    EXPECT_EQ(events_of("evpn_no_room"), 1U) << "once";
    come(50, 60);
    EXPECT_EQ(events_of("evpn_no_room"), 1U) << "more came, within 10 s";
    proceed(6_s);
    EXPECT_EQ(events_of("evpn_no_room"), 2U);
}

TEST_F(EvpnManagerTest, EachOrderWakesTheWorker) {
    list_all();
    EXPECT_TRUE(not_taken.empty());
    played.says = {of_bridge(station(6), device), of_device(station(6)),
                   of_bridge(station(7), device), of_device(station(7))};
    proceed();
    EXPECT_EQ(not_taken, (std::vector<std::size_t>{1, 2}));
}

TEST_F(EvpnManagerTest, WhatAHostSaysIsInTheBridge) {
    list_all();
    receive(0, octets_of(test::FrameSpec{.to = station(9), .from = station(8)}));
    for (int turn = 0; turn < 10; ++turn) proceed();
    ASSERT_EQ(played.asked.size(), 1U);
    EXPECT_EQ(played.asked[0],
              evpn::add_to_bridge(head_of(played.asked[0]).nlmsg_seq, local, station(8), false));
}

TEST_F(EvpnManagerTest, AMasterThatIsNoBridgeIsNone) {
    proceed();
    Octets of_bond = vx100;
    of_bond[72] = 'x';
    list(RTM_GETLINK, {of_bond, sl100});
    EXPECT_EQ(network().why, "vx100 and sl100 are not in one bridge");
}

TEST_F(EvpnManagerTest, WhatWasLostIsAskedForAgain) {
    list_all();
    played.loses = true;
    proceed();
    EXPECT_EQ(manager->resyncs(), 1U);
    EXPECT_EQ(events_of("evpn_resync"), 1U);
    proceed(evpn::Dump::pause);
    list(RTM_GETLINK, {vx100, sl100});
    list(RTM_GETNEIGH, {of_bridge(station(7), device), of_device(station(7))});
    EXPECT_EQ(network().why, "");
    EXPECT_EQ(network().network.counts().remote, 1U);
    EXPECT_EQ(events_of("evpn_down"), 0U) << "it was up all the time";
}

TEST_F(EvpnManagerTest, ADumpThatWasInterruptedIsAskedForAgain) {
    proceed();
    const uint32_t number = dump(RTM_GETLINK);
    Octets interrupted = done(number, 0, NLM_F_MULTI | NLM_F_DUMP_INTR);
    played.says = {vx100, sl100, interrupted};
    proceed();
    EXPECT_NE(network().why, "");
    proceed(evpn::Dump::pause);
    list(RTM_GETLINK, {vx100, sl100});
    EXPECT_EQ(network().why, "");
}

TEST_F(EvpnManagerTest, SoIsOneThatFailed) {
    proceed();
    played.says = {vx100, sl100, done(dump(RTM_GETLINK), EBUSY)};
    proceed();
    EXPECT_NE(network().why, "");
    proceed(evpn::Dump::pause);
    list(RTM_GETLINK, {vx100, sl100});
    EXPECT_EQ(network().why, "");
}

TEST_F(EvpnManagerTest, WhatCouldNotBeSentIsSentAgain) {
    played.takes = false;
    proceed();
    EXPECT_TRUE(played.asked.empty());
    played.takes = true;
    proceed(evpn::Dump::pause);
    list(RTM_GETLINK, {vx100, sl100});
    list(RTM_GETNEIGH, {});
    // After a failed write everything is requested again, and then the write is repeated.
    receive(0, octets_of(test::FrameSpec{.to = station(9), .from = station(8)}));
    played.takes = false;
    for (int turn = 0; turn < 10; ++turn) proceed();
    EXPECT_EQ(manager->resyncs(), 1U);
    played.takes = true;
    proceed(evpn::Dump::pause);
    list(RTM_GETLINK, {vx100, sl100});
    list(RTM_GETNEIGH, {});
    for (int turn = 0; turn < 60; ++turn) proceed();
    ASSERT_EQ(played.asked.size(), 1U);
    EXPECT_EQ(head_of(played.asked[0]).nlmsg_type, RTM_NEWNEIGH);
}

TEST_F(EvpnManagerTest, ARefusalIsReportedOnce) {
    list_all();
    const auto refused = [&](int error) {
        Octets octets = done(1, error, 0);
        octets[4] = NLMSG_ERROR;
        return octets;
    };
    played.says = {refused(ENOENT), refused(EPERM), refused(EPERM)};
    proceed();
    EXPECT_EQ(manager->refused(), 2U);
    EXPECT_EQ(events_of("evpn_refused"), 1U);
    EXPECT_EQ(manager->why_refused(), "Operation not permitted");
}

TEST_F(EvpnManagerTest, WithoutSuppressionNobodyAsksForNeighbours) {
    list_all();
    EXPECT_FALSE(network().neighbours);
    EXPECT_FALSE(dataplane.neighbours().is_on());
}

class EvpnManagerSmall : public EvpnManagerTest {
  protected:
    EvpnManagerSmall() : EvpnManagerTest(false, "not permitted") {}
};

TEST_F(EvpnManagerSmall, ThatLittleMayWaitIsReported) {
    proceed();
    EXPECT_EQ(events_of("evpn_refused"), 1U);
}

class EvpnManagerNeighbours : public EvpnManagerTest {
  protected:
    EvpnManagerNeighbours() : EvpnManagerTest(true) {
        list_all();
        list(RTM_GETNEIGH, {});  // neighbours
        played.says = {of_bridge(station(7), device), of_device(station(7)),
                       neighbour(far_host, station(7))};
        for (int turn = 0; turn < 3; ++turn) proceed();
    }
    static std::vector<uint8_t> question() {
        const auto frame = neighbours::write_arp({.operation = neighbours::Operation::request,
                                                  .sender = {station(8), host},
                                                  .target = {{}, far_host}},
                                                 broadcast_address);
        return {frame.begin(), frame.end()};
    }
};

TEST_F(EvpnManagerNeighbours, AQuestionIsAnsweredAndGoesIntoNoTunnel) {
    receive(0, question());
    EXPECT_EQ(sent[2], 0U);
    proceed();
    Shard& shard = dataplane.shard(0);
    const auto octets = shard.control_frame(0);
    const auto answer = neighbours::read_arp(octets);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->operation, neighbours::Operation::reply);
    EXPECT_EQ(answer->sender.mac, station(7));
    EXPECT_EQ(answer->sender.ip, far_host);
    EXPECT_EQ(network().neighbours->counts().suppressed, 1U);
}

TEST_F(EvpnManagerNeighbours, WhoAsksIsAddedToTheBridge) {
    receive(0, question());
    for (int turn = 0; turn < 10; ++turn) proceed();
    const auto written = evpn::add_neighbour(0, bridge, {host, station(8)});
    for (Octets& octets : played.asked) std::fill_n(octets.begin() + 8, 4, 0);  // its number
    EXPECT_NE(std::ranges::count(played.asked, written), 0);
}

}  // namespace
}  // namespace sluice::control
