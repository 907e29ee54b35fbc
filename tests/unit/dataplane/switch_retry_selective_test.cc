// What a port with link-level retry keeps behind a gap: what it lost goes again alone, and what it
// kept enters the switch in order, as far as that has room (tests/support/retry_link.h).
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "dataplane/types/random.h"
#include "tests/support/retry_link.h"

namespace sluice {
namespace {

using namespace test;

constexpr PrioritySet three_and_four = three | 0b0001'0000;

// The link loses these, by their numbers, each once.
class RetryOfSome : public testing::Test {
  protected:
    explicit RetryOfSome(const Settings& of_b = retry_settings(0, Bytes(256 * 1024)))
        : link(retry_settings(1), of_b) {
        link.turn(3);
        link.loses = [this](const Octets& octets) {
            const auto shim = read_retry_shim(octets);
            if (shim && shim->kind == RetryKind::data) return lost.erase(shim->number.number()) > 0;
            return loses_answers && shim.has_value();
        };
    }
    void lose(std::set<uint32_t> numbers) { lost = std::move(numbers); }
    // All that was sent, in order.
    void expect_all() {
        std::vector<uint32_t> all(link.sent);
        std::iota(all.begin(), all.end(), 0U);
        EXPECT_EQ(link.delivered(), all);
        EXPECT_EQ(link.a.ports.misuse() + link.b.ports.misuse(), "");
        EXPECT_EQ(link.a.ports.held() + link.b.ports.held(), 0U);
    }
    // The first is lost, and its host takes nothing, so that more is kept than there is room for.
    void keep(int frames) {
        link.b.ports.room[1] = 0;
        lose({0});
        loses_answers = true;
        for (; frames > 0; frames -= 25) {
            link.send(25);
            link.turn();
        }
        link.turn();
        loses_answers = false;
    }
    [[nodiscard]] uint64_t replayed() { return link.end_of_a().sender().counts().replayed; }

    RetryLink link;
    std::set<uint32_t> lost;
    bool loses_answers = false;
};

TEST_F(RetryOfSome, WhatWasLostGoesAgainAlone) {
    lose({3, 7, 8, 19});
    link.send(25);
    link.turn(8);
    EXPECT_EQ(replayed(), 4U);
    EXPECT_EQ(link.end_of_b().receiver().counts().missing, 0U);
    EXPECT_GT(link.end_of_b().watch().kept.value(), 4U);
    EXPECT_EQ(link.end_of_b().watch().kept_bytes.value(), 0U);
    EXPECT_GE(link.end_of_b().watch().most_kept_bytes.value(), 15U * 256);
    expect_all();
}

TEST_F(RetryOfSome, WhatIsLostAgainGoesAgain) {
    lose({3});
    link.send(10);
    link.turn(3);
    lose({3});
    link.send(2);
    link.turn(8);
    EXPECT_EQ(replayed(), 2U);
    EXPECT_EQ(link.end_of_a().sender().counts().timeouts, 0U) << "by what comes behind it";
    expect_all();
}

TEST_F(RetryOfSome, ALostAnswerIsMadeGoodByTheNext) {
    lose({3});
    link.send(10);
    link.turn();
    loses_answers = true;
    link.turn(2);
    loses_answers = false;
    link.turn(5);
    link.send(1);
    link.turn(6);
    EXPECT_EQ(replayed(), 1U);
    EXPECT_EQ(link.end_of_a().sender().counts().timeouts, 0U);
    expect_all();
}

// The replay timer finds the loss, by the oldest frame alone.
TEST_F(RetryOfSome, TheLastOnesAreLost) {
    lose({7, 8, 9});
    link.send(10);
    link.turn(60);
    EXPECT_EQ(link.end_of_a().sender().counts().timeouts, 1U);
    EXPECT_EQ(replayed(), 3U);
    expect_all();
}

// XOFF is 32 frames and the headroom 32 more; an egress queue holds some as well.
TEST_F(RetryOfSome, WhatWasKeptEntersOnlyWhereThereIsRoom) {
    keep(500);
    EXPECT_EQ(link.end_of_b().watch().kept.value(), 499U);
    link.turn(60);
    EXPECT_TRUE(link.end_of_b().has_waiting());
    EXPECT_EQ(link.b.dataplane.ingress(0).pause_sender().pausing(), three);
    link.b.ports.room[1] = SIZE_MAX;
    link.turn(60);
    EXPECT_FALSE(link.end_of_b().has_waiting());
    expect_all();
}

TEST_F(RetryOfSome, WhatGoesWithoutANumberGoesBehindThem) {
    keep(500);
    link.turn(60);
    ASSERT_TRUE(link.end_of_b().has_waiting());
    link.a.dataplane.retries().set_peer(1, LinkPeer::unable, 0);
    link.send(10);
    link.turn(3);
    link.b.ports.room[1] = SIZE_MAX;
    link.turn(60);
    EXPECT_EQ(link.end_of_a().tally().unnumbered, 10U);
    expect_all();
}

TEST_F(RetryOfSome, WhatASessionKeptGoesWithIt) {
    lose({0});
    loses_answers = true;
    link.send(20);
    link.turn(2);
    EXPECT_EQ(link.b.ports.held(), 19U);
    link.b.dataplane.set_link(0, false);
    link.turn();
    EXPECT_EQ(link.b.ports.held(), 0U);
    EXPECT_TRUE(link.delivered().empty());
    EXPECT_EQ(link.end_of_b().tally().abandoned, 0U) << "none of it was acknowledged";
}

TEST_F(RetryOfSome, AnEndThatIsReplacedLeavesNoBufferBehind) {
    keep(500);
    link.turn(60);
    ASSERT_TRUE(link.end_of_b().has_waiting());
    RetrySettings settings = link.b.settings.ports[0].retry;
    settings.resequence += Bytes(1);
    link.b.dataplane.retries().use(0, settings);
    link.turn();
    link.b.ports.room[1] = SIZE_MAX;
    link.turn(30);
    EXPECT_EQ(link.b.ports.held(), 0U);
    EXPECT_EQ(link.b.ports.misuse(), "");
}

TEST_F(RetryOfSome, WhatWaitsIsAbandonedAtTheEnd) {
    keep(500);
    link.turn(60);
    ASSERT_TRUE(link.end_of_b().has_waiting());
    EXPECT_FALSE(link.b.is_acknowledged()) << "or the switch would stop with them";
    link.b.stop_retry();
    EXPECT_GT(link.end_of_b().tally().abandoned, 0U);
    EXPECT_FALSE(link.end_of_b().has_waiting());
}

class RetryOfTwoPriorities : public RetryOfSome {
  protected:
    static Settings with_both() {
        Settings settings = retry_settings(0, Bytes(256 * 1024));
        for (PortSettings& port : settings.ports) port.pfc.lossless = three_and_four;
        return settings;
    }
    RetryOfTwoPriorities() : RetryOfSome(with_both()) {
        link.a.dataplane.retries().set_peer(1, LinkPeer::able, three_and_four);
    }
};

TEST_F(RetryOfTwoPriorities, OneThatIsFullHoldsNotTheOther) {
    // The host pauses b, so frames of priority 3 do not leave b any more.
    link.b.ports.arrive(1, {octets_of(pause_of(three, UINT16_MAX))});
    keep(500);
    link.b.ports.room[1] = SIZE_MAX;
    link.send(10, 4);
    link.turn(60);
    EXPECT_TRUE(link.end_of_b().has_waiting());
    std::vector<uint32_t> of_four(10);
    std::iota(of_four.begin(), of_four.end(), link.sent - 10);
    EXPECT_EQ(link.delivered(), of_four);
}

// Room for less than a round trip: frames without room are sent again, and none is lost.
class RetryWithLittleRoom : public RetryOfSome {
  protected:
    static Settings little(Bytes resequence) {
        Settings settings = retry_settings(0);
        settings.ports[0].retry.resequence = resequence;
        return settings;
    }
    explicit RetryWithLittleRoom(Bytes resequence = Bytes(1024))
        : RetryOfSome(little(resequence)) {}
};
TEST_F(RetryWithLittleRoom, WhatFindsNoRoomGoesAgain) {
    lose({3, 12});
    link.send(25);
    link.turn(200);
    EXPECT_GT(replayed(), 10U);
    EXPECT_GT(link.end_of_b().receiver().counts().missing, 0U);
    expect_all();
}

class RetryWithoutRoom : public RetryWithLittleRoom {
  protected:
    RetryWithoutRoom() : RetryWithLittleRoom(Bytes(0)) {}
};
TEST_F(RetryWithoutRoom, AllBehindAGapGoesAgain) {
    lose({3});
    link.send(25);
    link.turn(8);
    EXPECT_EQ(replayed(), 22U) << "go-back-N";
    expect_all();
}

// Frames that arrive in 100 ms over a link of a millisecond, 8 in each 20 us, of which a share is
// lost.
std::size_t carried(uint32_t lost_of_100, Bytes resequence) {
    Settings of_a = retry_settings(1, Bytes(1024 * 1024));
    of_a.ports[1].retry.replay_timer = Nanos(5'000'000);
    Settings of_b = retry_settings(0, Bytes(1024 * 1024));
    of_b.ports[0].retry.resequence = resequence;
    RetryLink link(of_a, of_b);
    link.turn(3);
    link.delay = 50;
    Random random(12);
    link.loses = [&](const Octets&) { return random.next() % 100 < lost_of_100; };
    for (int n = 0; n < 5000; ++n) {
        link.send(8);
        link.turn();
    }
    EXPECT_EQ(link.end_of_a().tally().given_up, 0U);
    return link.delivered().size();
}

TEST(RetryOverALongLink, CarriesNineTenthsOfWhatACleanOneDoes) {
    const std::size_t clean = carried(0, Bytes(1024 * 1024));
    EXPECT_GT(clean, 39'000U);
    EXPECT_GT(carried(1, Bytes(1024 * 1024)), clean * 9 / 10);
    EXPECT_LT(carried(1, Bytes(0)), clean * 2 / 10) << "by go-back-N";
}

}  // namespace
}  // namespace sluice
