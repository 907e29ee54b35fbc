// ARP and ND suppression: questions that control answers are for control, and go nowhere else.
#include <gtest/gtest.h>

#include <array>

#include "dataplane/switch.h"
#include "dataplane/trace/what_if.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::hex;
using test::Octets;
using test::Rig;
using test::settings_of;
using test::station;

constexpr Ipv4Address asker{0xC000'0201};
constexpr Ipv4Address far{0xC000'0202};
constexpr MacAddress stranger = station(7);

// Port 0 has a host, port 1 another, and port 2 is an EVPN tunnel.
Settings leaf() {
    Settings settings = settings_of(3);
    settings.ports[2].evpn = true;
    settings.vlan.neigh_suppress[1] = true;
    return settings;
}

Octets request(uint32_t sender = asker.bits, uint32_t target = far.bits,
               MacAddress mac = station(0)) {
    Octets octets =
        hex("ffffffffffff 020000000100 0806"
            "0001 0800 06 04 0001 020000000100 00000000 000000000000 00000000");
    octets.resize(60);
    write_address(&octets[6], mac);
    write_address(&octets[22], mac);
    write_32(&octets[28], sender);
    write_32(&octets[38], target);
    return octets;
}

class PipelineNeighbours : public testing::Test {
  protected:
    explicit PipelineNeighbours(const Settings& settings = leaf()) : rig(settings) {
        rig.dataplane.set_unflooded(0);
    }
    NeighbourFilter& filter() { return rig.dataplane.neighbours(); }
    void answer(uint32_t ip) { ASSERT_TRUE(filter().add(filter().answered(1, Ipv4Address{ip}))); }
    std::size_t heard(PortIndex port) {
        Mailbox& box = rig.dataplane.received(port, ControlProtocol::neighbour);
        std::size_t frames = 0;
        for (; !box.front().empty(); ++frames) box.pop();
        return frames;
    }
    // Returns the names of the frames that leave by ports 1 and 2.
    std::string sent() {
        rig.run();
        return rig.sent(1) + "|" + rig.sent(2);
    }

    Rig rig;
};

TEST_F(PipelineNeighbours, AQuestionThatIsAnsweredGoesNowhereElse) {
    answer(far.bits);
    const Octets question = request(asker.bits, far.bits, stranger);
    rig.receive(0, {question}, "a");
    EXPECT_EQ(sent(), "|");
    EXPECT_EQ(rig.drops(0, Drop::neigh_suppressed), 1U);
    const auto octets = rig.dataplane.received(0, ControlProtocol::neighbour).front();
    EXPECT_EQ(Octets(octets.begin(), octets.end()), question);
    const Fdb& fdb = rig.dataplane.fdb();
    EXPECT_TRUE(fdb.find(fdb.probe(Fdb::key_of(1, stranger)))) << "who asks is learned";
    EXPECT_TRUE(rig.at_rest());
}

TEST_F(PipelineNeighbours, AnyOtherIsFlooded) {
    rig.receive(0, {request()}, "a");
    EXPECT_EQ(sent(), "a|a");
    EXPECT_EQ(heard(0), 1U) << "who asks is told";
    EXPECT_EQ(rig.drops(0, Drop::neigh_suppressed), 0U);
}

TEST_F(PipelineNeighbours, WhoIsKnownIsNotAddedAgain) {
    ASSERT_TRUE(filter().add(filter().known(1, asker, station(0), false)));
    rig.receive(0, {request()}, "a");
    EXPECT_EQ(heard(0), 0U);
    rig.receive(0, {request(asker.bits + 9)}, "b");
    EXPECT_EQ(heard(0), 1U);
    answer(far.bits);
    rig.receive(0, {request()}, "c");
    EXPECT_EQ(heard(0), 1U) << "but it is answered";
    EXPECT_EQ(sent(), "ab|ab");
}

TEST_F(PipelineNeighbours, WhatControlHasNoRoomForIsFlooded) {
    answer(far.bits);
    const std::vector<Octets> many(ControlMail::burst + 2, request());
    rig.receive(0, many, "abcdefghij");
    EXPECT_EQ(sent(), "ij|ij");
    EXPECT_EQ(rig.drops(0, Drop::neigh_suppressed), ControlMail::burst);
    EXPECT_TRUE(rig.at_rest());
}

TEST_F(PipelineNeighbours, WhatComesByATunnelIsNotLookedAt) {
    answer(far.bits);
    rig.receive(2, {request(asker.bits, far.bits, stranger)}, "a");
    rig.run();
    EXPECT_EQ(rig.sent(0), "a");
    EXPECT_EQ(heard(2), 0U);
}

TEST_F(PipelineNeighbours, OfOtherVlansNothingIs) {
    Settings settings = leaf();
    settings.vlan.neigh_suppress.reset();
    settings.vlan.neigh_suppress[2] = true;
    Rig other(settings);
    NeighbourFilter& words = other.dataplane.neighbours();
    ASSERT_TRUE(words.add(words.answered(1, far)));
    ASSERT_TRUE(words.add(words.answered(2, far)));
    other.receive(0, {request()}, "a");
    EXPECT_EQ(other.drops(0, Drop::neigh_suppressed), 0U);
    Octets tagged = request();
    const Octets tag = hex("8100 0002");
    tagged.insert(tagged.begin() + 12, tag.begin(), tag.end());
    other.receive(0, {tagged}, "b");
    EXPECT_EQ(other.drops(0, Drop::neigh_suppressed), 1U);
}

TEST_F(PipelineNeighbours, WhatMayNotEnterIsNotReadForNeighbours) {
    Settings settings = leaf();
    settings.vlan.filtering = true;
    settings.vlan.members[1] = only(1) | only(2);
    Rig other(settings);
    NeighbourFilter& words = other.dataplane.neighbours();
    ASSERT_TRUE(words.add(words.answered(1, far)));
    other.receive(0, {request()}, "a");
    EXPECT_EQ(other.drops(0, Drop::vlan_filtered), 1U);
    EXPECT_TRUE(other.dataplane.received(0, ControlProtocol::neighbour).front().empty());
}

// A from a source that is refused, B that is answered, and C from B's source.
TEST_F(PipelineNeighbours, WhatFollowsAQuestionIsNotRefusedForWhatWasBeforeIt) {
    answer(far.bits);
    const Octets refused = octets_of(test::FrameSpec{.to = station(1), .from = station(1)});
    const Octets data = octets_of(test::FrameSpec{.to = station(1), .from = stranger});
    rig.receive(0, {refused, request(asker.bits, far.bits, stranger), data}, "abc");
    EXPECT_EQ(sent(), "c|");
    EXPECT_EQ(rig.drops(0, Drop::static_source), 1U);
    EXPECT_EQ(rig.drops(0, Drop::neigh_suppressed), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST_F(PipelineNeighbours, OfAPortWithLanesTheFirstIsLookedAt) {
    Settings settings = leaf();
    settings.lanes = {{.port = 0, .worker = 0}};
    Rig laned(settings);
    NeighbourFilter& words = laned.dataplane.neighbours();
    ASSERT_TRUE(words.add(words.answered(1, far)));
    laned.receive(3, {request()}, "a");
    EXPECT_EQ(laned.drops(3, Drop::neigh_suppressed), 0U);
    laned.receive(0, {request()}, "b");
    EXPECT_EQ(laned.drops(0, Drop::neigh_suppressed), 1U);
}

TEST_F(PipelineNeighbours, AVlanWithinAVlanIsNotLookedInto) {
    answer(far.bits);
    Octets tagged = request();
    const Octets tags = hex("8100 0001 8100 0001");
    tagged.insert(tagged.begin() + 12, tags.begin(), tags.end());
    rig.receive(0, {tagged}, "a");
    EXPECT_EQ(heard(0), 0U);
    EXPECT_EQ(rig.drops(0, Drop::neigh_suppressed), 0U);
}

TEST_F(PipelineNeighbours, WhatIfSaysSo) {
    answer(far.bits);
    const auto observer = rig.dataplane.forwarding_observer(rig.settings);
    const WhatIf::Discarding discarding{};
    WhatIf what_if(rig.settings, *observer, rig.dataplane.outputs(), discarding);
    const auto why = [&](PortIndex port, Octets octets) {
        return what_if(port, octets, rig.now, {}).frame.why;
    };
    EXPECT_EQ(why(0, request()), Drop::neigh_suppressed);
    EXPECT_EQ(why(0, request(asker.bits, far.bits + 1)), Drop::none);
    EXPECT_EQ(why(2, request(asker.bits, far.bits, stranger)), Drop::none);
}

}  // namespace
}  // namespace sluice
