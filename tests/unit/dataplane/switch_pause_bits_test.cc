// Pause frames of a switch whose frames have other PCPs on the wire than priorities within: what is
// named to who sends, and what is held for who receives.
#include <gtest/gtest.h>

#include "tests/support/both_ways.h"
#include "tests/support/lossless.h"
#include "tests/support/pauses.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using test::octets_of;
using test::pause_in;
using test::pause_of;
using test::Rig;
using test::three;
using test::to;

constexpr PrioritySet five = 0b10'0000;

using SwitchPauseBits = test::BothWays;
INSTANTIATE_TEST_SUITE_P(Ways, SwitchPauseBits, testing::Bool(), test::way);

TEST_P(SwitchPauseBits, AnXoffNamesThePcpThatItsSenderHas) {
    Settings settings = test::BothWays::lossless_settings();
    settings.ports[0].classify.pcp_to_priority[5] = 3;
    settings.ports[0].pfc.bits.sent[3] = three | five;
    Rig rig(settings);
    rig.receive(1, {octets_of(pause_of(three, 65535))});
    rig.receive(0, std::string(40, 'a'), to(1, 5));
    const auto xoff = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(xoff);
    EXPECT_EQ(xoff->enabled, three | five);
    EXPECT_EQ(xoff->time[5], 1000);
    rig.receive(1, {octets_of(pause_of(three, 0))});
    rig.run();
    const auto xon = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(xon);
    EXPECT_EQ(xon->enabled, three | five);
    EXPECT_EQ(xon->time[5], 0);
    EXPECT_EQ(rig.sent(1), std::string(40, 'a'));
}

// The peer gets frames of priority 3 with PCP 5, and lossy ones of priority 5 too.
TEST_P(SwitchPauseBits, APauseHoldsWhatLeavesWithItsPcp) {
    Settings settings = test::BothWays::lossless_settings();
    settings.ports[1].remark.pcp[3] = 5;
    settings.ports[1].pfc.bits.received[5] = three | five;
    settings.ports[1].pfc.bits.received[3] = 0;
    Rig rig(settings);
    rig.receive(1, {octets_of(pause_of(five, 65535))});
    rig.receive(0, "aaa", to(1, 3));
    rig.receive(0, "bbb", to(1, 5));
    rig.receive(0, "ccc", to(1, 6));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "ccc");
    EXPECT_EQ(rig.dataplane.egress(1).gate().xoffs_received(3), 1U);
    rig.receive(1, {octets_of(pause_of(five, 0))});
    rig.run();
    EXPECT_EQ(rig.sent_now(1), "bbbaaa");
    rig.receive(1, {octets_of(pause_of(three, 65535))});
    rig.receive(0, "aaa", to(1, 3));
    rig.run();
    EXPECT_EQ(rig.sent_now(1), "aaa");
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice
