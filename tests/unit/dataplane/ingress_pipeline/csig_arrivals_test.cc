// CSIG tags of frames that arrive: IP is found behind them, for hosts they go, and what is no right
// tag stays.
#include <gtest/gtest.h>

#include "tests/support/csig_rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::csig_switch;
using test::csig_tag;
using test::Octets;
using test::Rig;
using test::towards;
using test::with_csig;
using test::without_csig;

TEST(CsigArrivals, FindsThePriorityBehindATag) {
    for (const CsigForm form : {CsigForm::compact, CsigForm::wide}) {
        Rig rig(csig_switch());
        rig.receive(0, {with_csig(form, CsigType::delay, 3)});
        rig.run();
        ASSERT_EQ(rig.departures(1).size(), 1U);
        EXPECT_EQ(rig.departures(1).front().priority, 4);
        EXPECT_TRUE(rig.at_rest());
    }
}

TEST(CsigArrivals, KnowsNoTagWithoutItsTpid) {
    Settings settings = csig_switch();
    settings.csig = {};
    Rig rig(settings);
    const Octets sent = with_csig(CsigForm::compact, CsigType::depth, 0);
    rig.receive(0, {sent});
    rig.run();
    ASSERT_EQ(rig.departures(1).size(), 1U);
    EXPECT_EQ(rig.departures(1).front().priority, 0);
    EXPECT_EQ(rig.departures(1).front().octets(), sent);
}

TEST(CsigArrivals, MarksEcnBehindATag) {
    Settings settings = test::without_bypass(csig_switch());
    settings.ports[1].ecn[4] = {.low = 1_B, .high = 2_B, .probability_65536 = 65536};
    Rig rig(settings);
    Octets frame = with_csig(CsigForm::wide, CsigType::delay, 3);
    frame[14 + 8 + 1] |= 2;
    rig.receive(0, {frame, frame});
    rig.run();
    ASSERT_EQ(rig.departures(1).size(), 2U);
    EXPECT_EQ(rig.departures(1).front().octets()[14 + 8 + 1] & 3, 3);
}

TEST(CsigArrivals, StripsTagsTowardsHosts) {
    for (const uint8_t workers : {uint8_t{1}, uint8_t{2}}) {
        for (const CsigForm form : {CsigForm::compact, CsigForm::wide}) {
            Rig rig(csig_switch(workers));
            const Octets sent = towards(2, with_csig(form, CsigType::delay, 3));
            rig.receive(0, {sent, towards(2, without_csig())});
            rig.run();
            ASSERT_EQ(rig.departures(2).size(), 2U);
            EXPECT_EQ(rig.departures(2)[0].octets(), towards(2, without_csig()));
            EXPECT_EQ(rig.departures(2)[1].octets(), towards(2, without_csig()));
            EXPECT_EQ(rig.dataplane.shard(0).csig().counts(2).stripped.value(), 1U);
            EXPECT_TRUE(rig.at_rest());
        }
    }
}

TEST(CsigArrivals, StripsWhatIsTaggedOnTheWayOut) {
    Settings settings = csig_switch();
    settings.ports[0].tagging.aware = settings.ports[2].tagging.aware = true;
    settings.vlan.filtering = true;
    settings.vlan.members[1] = 0b111;
    settings.vlan.untagged[1] = 0b001;
    Rig rig(settings);
    rig.receive(0, {towards(2, with_csig(CsigForm::wide, CsigType::delay, 3))});
    rig.run();
    ASSERT_EQ(rig.departures(2).size(), 1U);
    const Octets expected =
        test::with_tag(towards(2, without_csig()), Octets{0x81, 0x00, 0x80, 0x01});
    EXPECT_EQ(rig.departures(2).front().octets(), expected);
    EXPECT_TRUE(rig.at_rest());
}

// Three copies are one buffer.
TEST(CsigArrivals, StripsAFloodOnlyWhereAllOutputsDo) {
    const auto flooded = [](Settings settings) {
        Rig rig(settings);
        rig.receive(0, {towards(7, with_csig(CsigForm::compact, CsigType::delay, 3))});
        rig.run();
        EXPECT_TRUE(rig.at_rest());
        const CsigPorts::Counts& counts = rig.dataplane.shard(0).csig().counts(2);
        EXPECT_EQ(counts.stripped.value() + counts.unstripped.value(), 1U);
        EXPECT_EQ(rig.departures(1).front().octets(), rig.departures(2).front().octets());
        EXPECT_EQ(rig.dataplane.shard(0).csig().output(1).shared(),
                  settings.ports[1].csig.mode == CsigMode::update ? 1U : 0U);
        return rig.departures(2).front().octets() == towards(7, without_csig());
    };
    Settings settings = csig_switch();
    EXPECT_FALSE(flooded(settings));
    settings.ports[1].csig.mode = CsigMode::strip;
    EXPECT_TRUE(flooded(settings));
}

TEST(CsigArrivals, LeavesTagsInTheWrongPlaceAndSaysWhy) {
    const Octets compact = csig_tag(CsigForm::compact, CsigType::depth, 0, 1);
    const Octets vlan{0x81, 0x00, 0x00, 0x01};
    const Octets macsec{0x88, 0xE5, 0x00, 0x00, 0, 0, 0, 1};
    Octets no_ip = test::with_tag(without_csig(), compact);
    no_ip[18] = 0x65;  // of IPv4's EtherType, with another version
    Octets cut_short = test::with_tag(without_csig(), compact);
    cut_short.resize(30);
    const std::vector<Octets> sent{
        cut_short, test::with_tag(test::with_tag(without_csig(), vlan), compact),
        test::with_tag(test::with_tag(without_csig(), compact), macsec), no_ip};
    for (const PortIndex output : {PortIndex{1}, PortIndex{2}}) {
        Rig rig(csig_switch());
        std::vector<Octets> frames;
        for (const Octets& octets : sent) frames.push_back(towards(output, octets));
        rig.receive(0, frames);
        rig.run();
        ASSERT_EQ(rig.departures(output).size(), 4U);
        for (std::size_t n = 0; n < 4; ++n) {
            EXPECT_EQ(rig.departures(output)[n].octets(), frames[n]);
            EXPECT_EQ(rig.departures(output)[n].priority, 0);
        }
        const auto& faults = rig.dataplane.shard(0).csig().counts(0).faults;
        for (std::size_t why = 0; why < csig_faults; ++why) EXPECT_EQ(faults[why].value(), 1U);
        EXPECT_EQ(rig.dataplane.shard(0).csig().output(1).seen(), 0U);
        EXPECT_TRUE(rig.at_rest());
    }
}

}  // namespace
}  // namespace sluice
