// Frames that take another place at the receiving end than the sender consumed, and others.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "dataplane/ingress/loop_probe.h"
#include "tests/unit/dataplane/credit_link.h"

namespace sluice {
namespace {

using namespace literals;
using test::credit_settings;
using test::CreditLinkTest;
using test::FrameSpec;
using test::Octets;

class CellsOfSixteen : public CreditLinkTest {
  protected:
    CellsOfSixteen() : CreditLinkTest(of(1), of(0)) {}
    static Settings of(PortIndex by_credit) {
        Settings settings = credit_settings(by_credit);
        settings.buffer.cell = 16_B;
        return settings;
    }
};

// A device pads a frame that is too short, so the padded length counts.
TEST_F(CellsOfSixteen, AShortFrameConsumesWhatArrives) {
    settle();
    FrameSpec spec = test::to(1);
    spec.length = 42;
    for (int burst = 0; burst < 4; ++burst) a.receive(0, std::string(25, 'x'), spec);
    pass();
    EXPECT_EQ(a.sent(1).size(), 4096U / 64U);
    EXPECT_EQ(held_by_b(), 4_KiB);
    EXPECT_EQ(b.drops(0, Drop::no_credit), 0U);
}

// Frames of control, such as an answer for a neighbour; b counts them as any frame.
class FromControl : public CreditLinkTest {
  protected:
    // a sends it for control; it arrives at b.
    void send(const Octets& octets) {
        ASSERT_TRUE(a.dataplane.send_for_control(1, octets));
        Shard& shard = a.dataplane.shard(0);
        shard.take_control_due();
        for (auto due = shard.control_frame(1); !due.empty(); due = shard.control_frame(1)) {
            shard.postpone_control(1);  // the device refused it
            due = shard.control_frame(1);
            b.receive(0, {Octets(due.begin(), due.end())});
            shard.control_frame_sent(1);
        }
    }
    const Octets answer = test::octets_of(test::to(1));
};

TEST_F(FromControl, WhatIsLosslessConsumesCredit) {
    settle();
    b.adopt(test::without_bypass(b.settings));  // it is to hold them
    for (int time = 0; time < 3; ++time) send(answer);
    EXPECT_EQ(credit(), 4_KiB - 256_B * 3);
    EXPECT_EQ(held_by_b(), 256_B * 3);
    send(test::octets_of(test::to(1, 0)));
    const auto probe = frame_of(LoopProbe{.sender = 77, .port = 1}, test::station(9));
    send(Octets(probe.begin(), probe.end()));
    send(test::octets_of({.to = lldp_address, .ether_type = lldp_ether_type}));
    EXPECT_EQ(credit(), 4_KiB - 256_B * 3) << "none of these is counted";
    wait(1_ms);
    settle();
    EXPECT_EQ(credit(), 4_KiB - 256_B * 3);
    b.run();
    wait(1_ms);
    settle();
    EXPECT_EQ(credit(), 4_KiB);
}

TEST_F(FromControl, WhatFindsNoneIsDroppedAndHoldsUpNobody) {
    settle();
    a.receive(0, std::string(16, 'x'), test::to(1));
    pass();
    ASSERT_TRUE(a.dataplane.send_for_control(1, answer));
    send(test::octets_of({.to = lldp_address, .ether_type = lldp_ether_type}));
    EXPECT_EQ(b.drops(0, Drop::lldp), 1U);
    EXPECT_EQ(held_by_b(), 4_KiB);
    EXPECT_EQ(a.dataplane.counters(1).egress_drops.of(Drop::no_credit), 1U);
    EXPECT_TRUE(ledger_of(a.dataplane).balanced());
    lose_link_for(1_ms);
    send(answer);
    EXPECT_EQ(a.dataplane.counters(1).egress_drops.of(Drop::no_credit), 2U)
        << "b may count an old session";
}

// A third port of b, whose pool is as small as may be.
class WithCopies : public CreditLinkTest {
  protected:
    WithCopies() : CreditLinkTest(credit_settings(1), of_three()) {}
    static Settings of_three() {
        Settings settings = credit_settings(0, 2_KiB);
        settings.ports.push_back(settings.ports[1]);
        settings.ports[2].address = {settings.ports[1].address.bits + 1};
        return settings;
    }
};

TEST_F(WithCopies, AFloodedFrameTakesAPlaceForEachOutput) {
    settle();
    FrameSpec flooded = test::to(1);
    flooded.to = test::broadcast;
    a.receive(0, std::string(20, 'x'), flooded);
    pass();
    EXPECT_EQ(a.sent(1).size(), 16U) << "of each the sender consumed one place";
    EXPECT_EQ(held_by_b(), 256_B * 32);
    EXPECT_GT(b.dataplane.pool().used(), 0_B) << "beyond the buffer they are others' frames";
    settle();
    EXPECT_LT(credit(), 256_B) << "and it gets no more before they have left";
    b.run();
    wait(1_ms);
    settle();
    EXPECT_EQ(credit(), 4_KiB);
    pass();
    b.run();
    EXPECT_EQ(b.departures(1).size(), 20U);
    EXPECT_EQ(b.departures(2).size(), 20U);
}

// Frames of a cell, which a tag makes longer.
class WithTags : public CreditLinkTest {
  protected:
    explicit WithTags(Bytes reserved = 0_B) : CreditLinkTest(untagging(), tagging(reserved)) {}
    static Settings untagging() {
        Settings settings = credit_settings(1);
        for (PortSettings& port : settings.ports) port.classify.default_priority = 3;
        return settings;
    }
    // Almost no pool is left.
    static Settings tagging(Bytes reserved) {
        Settings settings = credit_settings(0, 2_KiB);
        for (PortSettings& port : settings.ports) {
            port.classify.default_priority = 3;
            port.tagging.aware = true;
        }
        settings.ports[0].pfc.reserved = std::max(settings.ports[0].pfc.reserved, reserved);
        settings.vlan.filtering = true;
        settings.vlan.members[1] = 0b11;
        settings.vlan.untagged[1] = 0b01;
        settings.buffer.alpha_128 = 1;
        return settings;
    }
    void send_16() {
        settle();
        a.receive(0, std::string(16, 'x'), {.length = 256});
        pass();
        EXPECT_EQ(a.sent(1).size(), 16U);
    }
};
class WithTagsAndRoom : public WithTags {
  protected:
    WithTagsAndRoom() : WithTags(8_KiB) {}
};

TEST_F(WithTags, ATagMayTakeACellMoreThanWasConsumed) {
    send_16();
    EXPECT_GT(held_by_b(), 4_KiB);
    EXPECT_GT(b.drops(0, Drop::no_credit), 0U);
}

TEST_F(WithTagsAndRoom, AReserveThatCountsThemHoldsThem) {
    send_16();
    EXPECT_EQ(held_by_b(), 512_B * 16);
    EXPECT_EQ(b.drops(0, Drop::no_credit), 0U);
    b.run();
    wait(1_ms);
    settle();
    EXPECT_EQ(credit(), 4_KiB);
}

}  // namespace
}  // namespace sluice
