// Frames of control, such as LLDP: what a port receives is handed over, what control sends goes
// out.
#include <gtest/gtest.h>

#include "dataplane/switch.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::hex;
using test::Octets;
using test::Rig;
using test::settings_of;

constexpr test::FrameSpec lldp{.to = lldp_address, .ether_type = 0x88CC};

// The frames that control takes out of a port's mailbox.
std::size_t taken(Rig& rig, PortIndex port) {
    std::size_t frames = 0;
    for (; !rig.dataplane.received(port).front().empty(); ++frames)
        rig.dataplane.received(port).pop();
    return frames;
}

// Returns the frames that control has sent by the worker of all ports at this poll.
std::vector<Octets> sent(Rig& rig, PortIndex port) {
    std::vector<Octets> frames;
    rig.dataplane.shard(0).take_control_due();
    for (auto octets = rig.dataplane.shard_of(port).control_frame(port); !octets.empty();
         octets = rig.dataplane.shard_of(port).control_frame(port)) {
        frames.emplace_back(octets.begin(), octets.end());
        rig.dataplane.shard_of(port).control_frame_sent(port);
    }
    return frames;
}

TEST(SwitchControl, HandsOverLldpWholeAndByPort) {
    Rig rig(settings_of(2));
    const Octets frame = octets_of(lldp);
    rig.receive(1, {frame});
    EXPECT_TRUE(rig.dataplane.received(0).front().empty());
    const auto heard = rig.dataplane.received(1).front();
    EXPECT_EQ(Octets(heard.begin(), heard.end()), frame);
    EXPECT_EQ(rig.drops(1, Drop::lldp), 1U);
    EXPECT_TRUE(rig.at_rest());
}

// The nearest non-TPMR bridge's and the nearest customer bridge's addresses as well (802.1AB table
// 7-1). The latter is also the BPDUs' address: where BPDUs are forwarded, so is its LLDP.
TEST(SwitchControl, HandsOverLldpToEachOfItsAddresses) {
    Settings settings = settings_of(2);
    settings.ports[1].forwards_bpdus = true;
    Rig rig(settings);
    for (const MacAddress to : {lldp_address, MacAddress{0x0180C2000003}, bridge_group_address}) {
        rig.receive(0, "a", {.to = to, .ether_type = 0x88CC});
        EXPECT_EQ(taken(rig, 0), 1U);
        rig.receive(1, "b", {.to = to, .ether_type = 0x88CC});
        EXPECT_EQ(taken(rig, 1), to == bridge_group_address ? 0U : 1U);
    }
    rig.receive(0, "c", {.to = {0x0180C2000003}, .ether_type = 0x888E});
    EXPECT_EQ(taken(rig, 0), 0U) << "802.1X";
    EXPECT_EQ(rig.drops(0, Drop::lldp), 3U);
    EXPECT_EQ(rig.drops(0, Drop::reserved_address), 1U);
}

TEST(SwitchControl, HandsOverLldpWithATagOfNoVlan) {
    Rig rig(settings_of(2));
    test::FrameSpec tagged = lldp;
    tagged.tag = test::Tag{.vlan = 0, .pcp = 7};
    rig.receive(0, "a", tagged);
    EXPECT_EQ(taken(rig, 0), 1U);
    tagged.tag = test::Tag{.vlan = 10, .pcp = 7};
    rig.receive(0, "b", tagged);
    EXPECT_EQ(taken(rig, 0), 0U);
    EXPECT_EQ(rig.drops(0, Drop::lldp), 1U);
    EXPECT_EQ(rig.drops(0, Drop::reserved_address), 1U);
}

TEST(SwitchControl, LeavesOtherAddressesOfLldpAlone) {
    Rig rig(settings_of(2));
    for (const uint64_t address : {0x0180'C200'0001U, 0x0180'C200'000BU}) {
        rig.receive(0, "a", {.to = {address}, .ether_type = 0x88CC});
    }
    EXPECT_EQ(taken(rig, 0), 0U);
    EXPECT_EQ(rig.drops(0, Drop::reserved_address), 2U);
}

TEST(SwitchControl, AFloodIsCountedApartAndHurtsNoOtherPort) {
    Rig rig(settings_of(2));
    rig.receive(0, std::string(60, 'a'), lldp);
    rig.receive(1, "b", lldp);
    EXPECT_EQ(taken(rig, 0), ControlMail::burst);
    EXPECT_EQ(taken(rig, 1), 1U);
    EXPECT_EQ(rig.drops(0, Drop::lldp), ControlMail::burst);
    EXPECT_EQ(rig.drops(0, Drop::lldp_limit), 60 - ControlMail::burst);
    EXPECT_EQ(rig.drops(1, Drop::lldp_limit), 0U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchControl, AFloodIsLimitedThoughItIsTaken) {
    Rig rig(settings_of(2));
    std::size_t frames = 0;
    for (int millisecond = 0; millisecond < 1000; ++millisecond) {
        rig.receive(0, "aaaaa", lldp);
        frames += taken(rig, 0);
        rig.now += 1_ms;
    }
    EXPECT_LE(frames, ControlMail::a_second + ControlMail::burst);
    EXPECT_GE(frames, ControlMail::a_second);
}

TEST(SwitchControl, TakesNothingThatIsTooLong) {
    Settings settings = settings_of(2);
    settings.ports[0].max_frame = 9000_B;
    Rig rig(settings);
    test::FrameSpec jumbo = lldp;
    jumbo.length = 4000;
    rig.receive(0, "a", jumbo);
    EXPECT_EQ(rig.drops(0, Drop::lldp_limit), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchControl, SendsWhatControlSays) {
    Rig rig(settings_of(3));
    EXPECT_TRUE(rig.dataplane.send_for_control(1, Octets(60, 'a')));
    EXPECT_TRUE(rig.dataplane.send_for_control(1, Octets(70, 'b')));
    EXPECT_EQ(rig.dataplane.shard(0).take_control_due(), only(1));
    EXPECT_EQ(rig.dataplane.shard(0).take_control_due(), PortSet{0});
    const auto frames = sent(rig, 1);
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0], Octets(60, 'a'));
    EXPECT_EQ(frames[1], Octets(70, 'b'));
    EXPECT_EQ(rig.dataplane.counters(1).generated.value(), 2U);
    EXPECT_EQ(rig.dataplane.counters(1).tx_frames.value(), 2U);
    EXPECT_EQ(rig.dataplane.counters(1).tx_bytes.value(), 130U);
    EXPECT_TRUE(ledger_of(rig.dataplane).balanced());
}

TEST(SwitchControl, OffersAFrameThatWasRefusedAgain) {
    Rig rig(settings_of(2));
    rig.dataplane.send_for_control(1, Octets(60, 'a'));
    rig.dataplane.shard(0).take_control_due();
    rig.dataplane.shard_of(1).postpone_control(1);
    EXPECT_EQ(rig.dataplane.shard(0).take_control_due(), only(1));
    EXPECT_EQ(sent(rig, 1).size(), 1U);
}

TEST(SwitchControl, NamesToAWorkerItsOwnPortsAlone) {
    Rig rig(settings_of(2, 2));
    rig.dataplane.send_for_control(1, Octets(60, 'a'));
    EXPECT_EQ(rig.dataplane.shard(0).take_control_due(), PortSet{0});
    EXPECT_EQ(rig.dataplane.shard(1).take_control_due(), only(1));
}

TEST(SwitchControl, TakesNoMoreThanItHasRoomFor) {
    Rig rig(settings_of(2));
    for (uint32_t n = 0; n < Mailbox::slots; ++n) {
        EXPECT_TRUE(rig.dataplane.send_for_control(1, Octets(60, 'a')));
    }
    EXPECT_FALSE(rig.dataplane.send_for_control(1, Octets(60, 'b')));
    EXPECT_EQ(sent(rig, 1).size(), Mailbox::slots);
}

TEST(SwitchControl, SendsNothingWithoutALink) {
    Rig rig(settings_of(2));
    rig.dataplane.send_for_control(1, Octets(60, 'a'));
    rig.dataplane.set_link(1, false);
    EXPECT_FALSE(rig.dataplane.send_for_control(1, Octets(60, 'b')));
    EXPECT_TRUE(sent(rig, 1).empty());
    rig.dataplane.set_link(1, true);
    EXPECT_TRUE(sent(rig, 1).empty());
}

TEST(SwitchControl, KeepsPendingWhatItsPeersHaveNotBeenSent) {
    Rig rig(settings_of(2));
    EXPECT_FALSE(rig.dataplane.shard(0).has_pending_peer_frames());
    rig.dataplane.send_for_control(1, Octets(60, 'a'));
    EXPECT_TRUE(rig.dataplane.shard(0).has_pending_peer_frames());
    sent(rig, 1);
    EXPECT_FALSE(rig.dataplane.shard(0).has_pending_peer_frames());
}

}  // namespace
}  // namespace sluice
