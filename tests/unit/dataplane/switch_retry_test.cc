// Two switches and a cable that loses (tests/support/retry_link.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "dataplane/types/random.h"
#include "tests/support/retry_link.h"

namespace sluice {
namespace {

using namespace test;

std::vector<uint32_t> up_to(uint32_t count) {
    std::vector<uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

TEST(SwitchRetry, NumbersWhatIsLosslessOncePeersAgree) {
    RetryLink link;
    link.turn(3);
    EXPECT_EQ(link.end_of_a().sender().state(), RetrySender::State::advance);
    EXPECT_EQ(link.end_of_b().receiver().state(), RetryReceiver::State::send_acks);
    link.send(5);
    link.turn(4);
    EXPECT_EQ(link.delivered(), up_to(5));
    EXPECT_EQ(link.end_of_a().sender().counts().sent, 5U);
    EXPECT_EQ(link.end_of_a().sender().kept(), 0U) << "acknowledged";
    EXPECT_EQ(link.a.ports.held() + link.b.ports.held(), 0U);
}

TEST(SwitchRetry, LosesNothingOfALosslessPriorityOnACableThatDoes) {
    RetryLink link;
    Random random(11);
    const auto happens = [&](uint32_t one_in) { return random.next() % one_in == 0; };
    link.turn(3);
    link.loses = [&](const Octets&) { return happens(20); };
    link.doubles = [&] { return happens(50); };
    link.swaps = [&] { return happens(100); };
    for (int n = 0; n < 10'000 && link.sent < 2000; ++n) {
        if (link.sent - link.b.ports.departures(1).size() < 25) link.send(5);  // below XOFF
        link.turn();
    }
    link.turn(1000);
    EXPECT_EQ(link.delivered(), up_to(2000));
    EXPECT_GT(link.end_of_a().sender().counts().replayed, 0U);
    EXPECT_GT(link.end_of_b().receiver().counts().nacks, 0U);
    EXPECT_EQ(link.end_of_a().tally().given_up, 0U);
    EXPECT_EQ(link.a.ports.misuse() + link.b.ports.misuse(), "");
    EXPECT_EQ(link.a.ports.held() + link.b.ports.held(), 0U);
}

TEST(SwitchRetry, LetsLossyPrioritiesPassBeside) {
    RetryLink link;
    link.turn(3);
    link.loses = is_numbered;
    link.send(20);
    link.turn();
    link.send(3, 0);
    link.turn(3);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{20, 21, 22}));
    link.loses = [](const Octets&) { return false; };
    link.turn(200);
    EXPECT_EQ(link.delivered().size(), 23U);
}

TEST(SwitchRetry, WorksWithoutWhereThePeerHasNone) {
    RetryLink link;
    link.set_peers(LinkPeer::unable);
    link.send(5);
    link.turn(4);
    EXPECT_EQ(link.delivered(), up_to(5));
    EXPECT_EQ(link.end_of_a().sender().state(), RetrySender::State::off);
    EXPECT_EQ(link.end_of_a().tally().unnumbered, 5U);
}

TEST(SwitchRetry, HasNewFramesWaitWhileTheBufferIsFull) {
    RetryLink link(retry_settings(1, Bytes(4096)));
    link.turn(3);
    link.loses = [](const Octets& octets) { return !is_numbered(octets); };  // of answers
    link.send(100);
    link.turn(20);
    const std::size_t delivered = link.delivered().size();
    EXPECT_GT(delivered, 10U);
    EXPECT_LT(delivered, 47U) << "4096 octets of 88";
    EXPECT_LE(link.end_of_a().watch().most_used.value(), 4096U);
    link.loses = [](const Octets&) { return false; };
    link.turn(300);
    EXPECT_EQ(link.delivered(), up_to(100));
}

TEST(SwitchRetry, GivesUpWhatAPeerNeverAcknowledgesAndGoesOn) {
    Settings of_a = retry_settings(1);
    of_a.ports[1].retry.replay_count_max = 2;
    RetryLink link(of_a);
    link.turn(3);
    link.loses = is_numbered;
    link.send(4);
    link.turn(50 * (1 + 2 + 4) + 5);  // a replay timer is 50 turns, and doubles
    link.loses = [](const Octets&) { return false; };
    link.turn(20);
    EXPECT_EQ(link.end_of_a().sender().counts().flushes, 1U);
    EXPECT_EQ(link.end_of_a().tally().given_up, 4U);
    EXPECT_EQ(link.end_of_a().sender().state(), RetrySender::State::advance) << "anew";
    link.send(2);
    link.turn(10);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{4, 5}));
}

TEST(SwitchRetry, BeginsAnewWithALinkThatComesBack) {
    RetryLink link;
    link.turn(3);
    link.loses = is_numbered;
    link.send(4);
    link.turn(3);
    const uint32_t before = link.end_of_a().sender().session();
    link.a.dataplane.set_link(1, false);
    link.b.dataplane.set_link(0, false);
    link.turn(2);
    EXPECT_EQ(link.end_of_a().sender().state(), RetrySender::State::off);
    EXPECT_EQ(link.end_of_a().tally().given_up, 4U);
    link.loses = [](const Octets&) { return false; };
    link.a.dataplane.set_link(1, true);
    link.b.dataplane.set_link(0, true);
    link.turn(5);
    EXPECT_NE(link.end_of_a().sender().session(), before);
    link.send(3);
    link.turn(5);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{4, 5, 6}));
}

// The link stayed, so nothing but the peer itself says so.
TEST(SwitchRetry, BeginsAnewWithAPeerThatForgotTheSession) {
    RetryLink link;
    link.turn(3);
    link.send(3);
    link.turn(5);
    const uint32_t before = link.end_of_a().sender().session();
    link.b.dataplane.retries().use(0, {});
    link.turn();
    link.b.dataplane.retries().use(0, {.is_on = true, .buffer = Bytes(64 * 1024 + 1)});
    link.set_peers(LinkPeer::able);
    link.turn(3);
    link.send(1);
    link.turn(6);
    EXPECT_NE(link.end_of_a().sender().session(), before);
    EXPECT_EQ(link.end_of_a().sender().state(), RetrySender::State::advance);
    EXPECT_EQ(link.end_of_a().tally().given_up, 1U) << "whether it came nobody knows";
    link.send(3);
    link.turn(5);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{0, 1, 2, 4, 5, 6}));
}

TEST(SwitchRetry, APortThatIsRemovedAndAddedBeginsAnew) {
    RetryLink link;
    link.turn(3);
    link.loses = is_numbered;
    link.send(4);
    link.turn(2);
    Retries& retries = link.a.dataplane.retries();
    const RetrySettings settings = retry_settings(1).ports[1].retry;
    const uint32_t before = link.end_of_a().sender().session();
    retries.use(1, {});
    EXPECT_EQ(retries.retired(), 1U) << "its worker may have it";
    link.turn();
    retries.free_seen();
    EXPECT_EQ(retries.lost(1), 4U) << "though the end that kept them is gone";
    retries.use(1, settings);
    EXPECT_EQ(retries.retired(), 0U);
    EXPECT_EQ(retries.peer(1), LinkPeer::unknown);
    EXPECT_EQ(link.end_of_a().sender().state(), RetrySender::State::off);
    link.set_peers(LinkPeer::able);
    link.loses = [](const Octets&) { return false; };
    link.turn(5);
    EXPECT_NE(link.end_of_a().sender().session(), before);
    link.send(3);
    link.turn(60);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{4, 5, 6})) << "and nothing of before";
    EXPECT_EQ(retries.lost(1), 4U);
    EXPECT_EQ(link.a.ports.held() + link.b.ports.held(), 0U);
}

TEST(SwitchRetry, AnOldQuestionRevivesNothing) {
    RetryLink link;
    std::vector<Octets> old;
    link.loses = [&](const Octets& octets) {
        const bool is_of_a = read_address(&octets[6]) == link.a.settings.ports[1].address;
        if (is_of_retry(octets) && is_of_a) old.push_back(octets);
        return false;
    };
    link.turn(3);
    link.send(3);
    link.turn(5);
    link.set_peers(LinkPeer::unable);
    link.turn(2);
    link.set_peers(LinkPeer::able);
    link.turn(3);
    link.loses = [](const Octets&) { return false; };
    const std::vector<uint32_t> before = link.delivered();
    link.b.ports.arrive(0, old);  // of both directions, and of the session before
    link.send(3);
    link.turn(10);
    EXPECT_EQ(before, up_to(3));
    EXPECT_EQ(link.delivered(), up_to(6)) << "none twice";
    EXPECT_EQ(link.end_of_a().tally().given_up, 0U);
}

TEST(SwitchRetry, AQuestionThatTheNextOvertakesEndsNothing) {
    RetryLink link;
    std::vector<Octets> overtaken;
    link.loses = [&](const Octets& octets) {
        const bool is_of_a = read_address(&octets[6]) == link.a.settings.ports[1].address;
        if (is_of_retry(octets) && is_of_a) overtaken.push_back(octets);
        return is_of_retry(octets) && is_of_a;
    };
    link.turn(2);
    link.a.dataplane.set_link(1, false);
    link.turn();
    link.a.dataplane.set_link(1, true);
    link.loses = [](const Octets&) { return false; };
    link.turn(4);
    ASSERT_FALSE(overtaken.empty());
    const uint32_t session = link.end_of_a().sender().session();
    link.send(3);
    link.turn();
    link.b.ports.arrive(0, overtaken);
    link.turn(8);
    EXPECT_EQ(link.delivered(), up_to(3));
    EXPECT_EQ(link.end_of_a().sender().session(), session);
    EXPECT_EQ(link.end_of_a().tally().given_up, 0U);
}

TEST(SwitchRetry, RecoversFromWhoeverForgesSignalsOfItsSession) {
    for (const RetryKind kind : {RetryKind::ack, RetryKind::nack, RetryKind::unknown}) {
        RetryLink link;
        link.turn(3);
        link.loses = is_numbered;
        link.send(3);
        link.turn(2);
        link.loses = [](const Octets&) { return false; };
        Octets forged(retry_signal_octets);
        write_retry_shim(std::span(forged).first<retry_shim_octets>(), station(9),
                         {.kind = kind,
                          .session = link.end_of_a().sender().session(),
                          .number = RetrySequence(1)});
        link.a.ports.arrive(1, {forged});  // two of the three are here, it says
        link.turn(50 * 300);
        link.send(3);
        link.turn(10);
        std::vector<uint32_t> delivered = link.delivered();
        ASSERT_GE(delivered.size(), 3U);
        EXPECT_TRUE(std::ranges::is_sorted(delivered, std::ranges::less_equal()))
            << "none twice, and in order";
        EXPECT_EQ(delivered.back(), 5U);
        EXPECT_EQ(link.end_of_a().sender().kept(), 0U);
    }
}

TEST(SwitchRetry, AFrameThatIsLostAgainIsSentAgainARoundTripLater) {
    RetryLink link;
    link.turn(3);
    int times = 0;
    link.loses = [&](const Octets& octets) {
        const auto shim = read_retry_shim(octets);
        return shim && shim->kind == RetryKind::data && shim->number == RetrySequence(1) &&
               ++times <= 3;
    };
    link.send(4);
    for (int n = 0; n < 12; ++n) {
        link.turn();
        link.send(1);
    }
    link.turn(5);
    EXPECT_EQ(link.delivered(), up_to(16)) << "three times lost, and no timer had to end";
    EXPECT_EQ(link.end_of_a().sender().counts().timeouts, 0U);
    EXPECT_EQ(link.end_of_b().receiver().counts().nacks, 3U);
}

// 5 frames a turn; each lost frame, NACK or retransmission costs a round trip.
TEST(SwitchRetry, KeepsItsPaceOnACableThatLosesOneInAHundred) {
    RetryLink link;
    Random random(5);
    link.turn(3);
    link.loses = [&](const Octets& octets) {
        return is_of_retry(octets) && random.next() % 100 == 0;
    };
    int turns = 0;
    for (; link.b.ports.departures(1).size() < 4000 && turns < 4000; ++turns) {
        if (link.sent < 4000 && link.sent - link.b.ports.departures(1).size() < 31) link.send(5);
        link.turn();
    }
    EXPECT_LT(turns, 800 * 100 / 90) << "0.9 of a clean link's";
    EXPECT_GT(link.end_of_a().sender().counts().replays, 30U);
}

TEST(SwitchRetry, HearsAcknowledgementsWhileItDrains) {
    RetryLink link;
    link.turn(3);
    link.send(4);
    link.turn();
    link.a.stop_receiving();
    EXPECT_FALSE(link.a.is_acknowledged());
    link.b.ports.arrive(1, {octets_of(to(0, 3, 1))});
    link.turn(5);
    EXPECT_TRUE(link.a.is_acknowledged());
    EXPECT_EQ(link.a.ports.departures(0).size(), 0U) << "nothing more is taken in";
    EXPECT_EQ(link.end_of_b().sender().kept(), 1U) << "nor acknowledged";
    EXPECT_EQ(link.a.ports.held(), 0U);
}

TEST(SwitchRetry, AsksNoDeviceThatIsGoneWhileItDrains) {
    RetryLink link;
    link.turn(3);
    link.a.ports.gone = only(1);
    link.a.stop_receiving();
    link.turn();
    EXPECT_EQ(link.a.ports.misuse(), "");
}

TEST(SwitchRetry, CountsWhatNobodyAcknowledgedWhenItEnds) {
    RetryLink link;
    link.turn(3);
    link.loses = is_numbered;
    link.send(4);
    link.turn();
    link.a.stop_receiving();
    link.turn(5);
    EXPECT_FALSE(link.a.is_acknowledged());
    link.a.stop_retry();
    EXPECT_EQ(link.end_of_a().watch().given_up.value(), 4U);
}

TEST(SwitchRetry, SendsWhatIsLostBehindPausesAndFramesOfControl) {
    Settings of_a = retry_settings(1);
    of_a.ports[1].pfc.pause = Quanta(200);  // 10 us at 10G, so in each turn
    RetryLink link(of_a);
    link.turn(3);
    link.loses = is_numbered;
    link.send(3);
    link.turn(2);
    link.a.ports.room[0] = 0;  // so that a pauses b, and says so again and again
    const auto is_replayed = [&] { return std::ranges::any_of(link.forth, is_numbered); };
    for (int n = 0; n < 60 && !is_replayed(); ++n) {
        if (n < 16) link.b.ports.arrive(1, std::vector<Octets>(25, octets_of(to(0, 3, 1))));
        link.a.dataplane.send_for_control(1, octets_of({.from = station(70)}));
        if (n == 0) link.loses = [](const Octets&) { return false; };
        link.turn();
    }
    const auto first = [&](auto such) {
        return std::ranges::find_if(link.forth, such) - link.forth.begin();
    };
    const auto of_control = [](const Octets& octets) {
        return read_address(&octets[6]) == station(70);
    };
    const auto pause = [](const Octets& octets) {
        return read_16(&octets[12]) == mac_control_ether_type;
    };
    ASSERT_TRUE(is_replayed());
    EXPECT_LT(first(of_control), first(is_numbered));
    EXPECT_LT(first(pause), first(is_numbered));
}

TEST(SwitchRetry, TakesNothingOfWhoeverForgesFrames) {
    RetryLink link;
    link.turn(3);
    Octets forged(retry_shim_octets + 60);
    const auto write = [&](const RetryShim& shim) {
        write_retry_shim(std::span(forged).first<retry_shim_octets>(), station(9), shim);
        return forged;
    };
    link.b.ports.arrive(0, {write({.session = 5, .length = 60})});
    link.a.ports.arrive(1, {write({.kind = RetryKind::ack, .session = 5})});
    Octets damaged = write({.session = 5, .length = 60});
    damaged[17] = 0xFF;
    link.b.ports.arrive(0, {damaged});
    link.turn(2);
    EXPECT_EQ(link.end_of_b().tally().strays, 1U);
    EXPECT_EQ(link.end_of_b().tally().malformed, 1U);
    EXPECT_EQ(link.end_of_a().sender().counts().unexpected, 1U);
    link.send(3);
    link.turn(4);
    EXPECT_EQ(link.delivered(), up_to(3));
    EXPECT_EQ(link.b.ports.held(), 0U);
}

}  // namespace
}  // namespace sluice
