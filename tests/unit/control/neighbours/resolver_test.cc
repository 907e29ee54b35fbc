// ARP and neighbour discovery at a port with addresses: packets of ARP, who is answered, and who is
// believed for how long.
#include "control/neighbours/resolver.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/octets.h"

namespace sluice::neighbours {
namespace {

using namespace sluice::literals;
using test::hex;

constexpr Nanos begin = 1000_s;
constexpr Station own{{0x0200'0000'0001}, {0xC000'0201}};
constexpr Station router{{0x0200'0000'00FE}, {0xC000'02FE}};
constexpr Station stranger{{0x0200'0000'0077}, {0xC000'024D}};
constexpr Ipv6Address own6 = test::ipv6_of(1, 1);
constexpr Ipv6Address sid = test::ipv6_of(9, 0xD2);
constexpr Ipv6Address router6 = test::ipv6_of(1, 0xFE);

class ResolverTest : public testing::Test {
  protected:
    ResolverTest() {
        const std::array<IpAddress, 1> wanted = {router.ip};
        resolver_.set_sids({sid});
        resolver_.want(wanted, now_);
    }

    std::optional<Octets> receive(Operation operation, const Station& from,
                                  const Station& to = own) {
        return resolver_.receive(write_arp({operation, from, to}, own.mac), now_, changes_);
    }
    // All that wait.
    std::vector<Octets> announcements() {
        std::vector<Octets> said;
        for (auto octets = resolver_.announcement(); octets; octets = resolver_.announcement()) {
            said.push_back(*octets);
            resolver_.announced();
        }
        return said;
    }
    // A station announces itself to all.
    void announced(const Station& station) {
        resolver_.receive(
            write_arp({Operation::request, station, {{}, station.ip}}, broadcast_address), now_,
            changes_);
    }
    std::vector<Octets> proceed(std::size_t most = SIZE_MAX) {
        return resolver_.proceed(now_, changes_, most);
    }
    // Requests in so long a time, looked for ten times a second.
    std::size_t asked_in(Nanos span) {
        std::size_t asked = 0;
        for (const Nanos end = now_ + span; now_ < end; now_ += 100_ms) asked += proceed().size();
        return asked;
    }
    std::vector<Event> events() {
        std::vector<Event> seen;
        for (const Change& change : changes_) seen.push_back(change.event);
        changes_.clear();
        return seen;
    }

    Nanos now_ = begin;
    Resolver resolver_{{own.mac, own.ip, own6}};
    std::vector<Change> changes_;
};

// Built by scapy 2.5, and padded.
TEST(Arp, IsWrittenAsOthersWriteIt) {
    const ArpFrame frame = write_arp({Operation::request, own, {{}, router.ip}}, broadcast_address);
    test::Octets golden =
        hex("ffffffffffff 020000000001 0806"
            "0001 0800 06 04 0001 020000000001 c0000201 000000000000 c00002fe");
    golden.resize(60);
    EXPECT_TRUE(std::ranges::equal(frame, golden));
    const auto read = read_arp(frame);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->operation, Operation::request);
    EXPECT_EQ(read->sender.mac, own.mac);
    EXPECT_EQ(read->target.ip, router.ip);
}

TEST(Arp, OfOtherAddressesIsNone) {
    const ArpFrame right = write_arp({Operation::reply, router, own}, own.mac);
    for (const std::size_t octet : {12U, 14U, 16U, 18U, 19U, 20U}) {
        ArpFrame wrong = right;
        wrong[octet] ^= 0x10;
        EXPECT_FALSE(read_arp(wrong)) << octet;
    }
    for (std::size_t length = 0; length < 42; ++length) {
        const test::Fenced cut(std::span<const uint8_t>(right).first(length));
        EXPECT_FALSE(read_arp(cut.octets()));
    }
}

TEST_F(ResolverTest, WhoAsksForItsAddressIsAnswered) {
    const auto answer = receive(Operation::request, stranger);
    ASSERT_TRUE(answer);
    EXPECT_EQ(read_address(answer->data()), stranger.mac);
    const auto read = read_arp(*answer);
    EXPECT_EQ(read->operation, Operation::reply);
    EXPECT_EQ(read->sender.mac, own.mac);
    EXPECT_EQ(read->sender.ip, own.ip);
    EXPECT_EQ(read->target.ip, stranger.ip);
    EXPECT_FALSE(resolver_.find(stranger.ip)) << "nobody asked for it";
    EXPECT_FALSE(receive(Operation::request, stranger, router)) << "it asks for another";
    EXPECT_FALSE(receive(Operation::reply, stranger));
}

// Requests go to all stations (RFC 5227 3, RFC 4861 7.2.6).
TEST_F(ResolverTest, AsksManyInTurnAFewAtOnce) {
    std::vector<IpAddress> wanted;
    for (uint32_t number = 2; number < 102; ++number) {
        wanted.emplace_back(Ipv4Address{own.ip.bits - 1 + number});
    }
    resolver_.want(wanted, now_);
    std::map<uint32_t, int> asked;
    for (int turn = 0; turn < 20; ++turn, now_ += 100_ms) {
        const auto requests = proceed(5);
        EXPECT_LE(requests.size(), 5U);
        for (const Octets& octets : requests) ++asked[read_arp(octets)->target.ip.bits];
    }
    EXPECT_EQ(asked.size(), 100U) << "each once, though some ask again by then";
}

TEST_F(ResolverTest, AnnouncesItselfToAll) {
    resolver_.announce();
    const std::vector<Octets> said = announcements();
    ASSERT_EQ(said.size(), 3U);
    const auto arp = read_arp(said[0]);
    ASSERT_TRUE(arp);
    EXPECT_EQ(read_address(said[0].data()), broadcast_address);
    EXPECT_EQ(arp->operation, Operation::request);
    EXPECT_EQ(arp->sender.ip, own.ip);
    EXPECT_EQ(arp->target.ip, own.ip);
    EXPECT_EQ(arp->sender.mac, own.mac);
    EXPECT_EQ(read_address(said[1].data()), MacAddress{0x3333'0000'0001});
    const auto of_address = read_advertisement(said[1]);
    const auto of_sid = read_advertisement(said[2]);
    ASSERT_TRUE(of_sid && of_address);
    EXPECT_EQ(of_sid->target, sid);
    EXPECT_EQ(of_address->target, own6);
    EXPECT_EQ(of_address->mac, own.mac);
    EXPECT_FALSE(of_address->solicited);
    EXPECT_TRUE(of_address->overrides);
}

TEST_F(ResolverTest, AnnouncesASidThatIsNewAndNoneThatIsGone) {
    announcements();
    const Ipv6Address other = test::ipv6_of(9, 0xD3);
    resolver_.set_sids({sid, other});
    const std::vector<Octets> said = announcements();
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(read_advertisement(said[0])->target, other);
    resolver_.announce();
    resolver_.set_sids({});
    EXPECT_EQ(announcements().size(), 2U) << "its own addresses";
}

TEST_F(ResolverTest, AsksEverSeldomerForOneThatDoesNotAnswer) {
    EXPECT_EQ(asked_in(3_s), 3U);
    EXPECT_EQ(asked_in(60_s), 5U);  // after 1, 2, 4, 8 and 16 s
    EXPECT_EQ(asked_in(320_s), 10U);
}

TEST_F(ResolverTest, AsksEverybodyForOneThatItDoesNotKnow) {
    const auto requests = proceed();
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(read_address(requests[0].data()), broadcast_address);
    EXPECT_EQ(read_arp(requests[0])->target.ip, router.ip);
}

TEST_F(ResolverTest, KnowsOneThatAnswers) {
    ASSERT_EQ(proceed().size(), 1U);
    EXPECT_FALSE(resolver_.find(router.ip));
    receive(Operation::reply, router);
    EXPECT_EQ(resolver_.find(router.ip), router.mac);
    EXPECT_EQ(events(), std::vector{Event::resolved});
    EXPECT_EQ(asked_in(29_s), 0U);
}

TEST_F(ResolverTest, AsksOneThatItKnowsItselfAndForgetsItInTheEnd) {
    receive(Operation::reply, router);
    events();
    now_ += Resolver::fresh;
    const auto requests = proceed();
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(read_address(requests[0].data()), router.mac);
    EXPECT_EQ(asked_in(9_s), 8U);
    EXPECT_EQ(resolver_.find(router.ip), router.mac);
    EXPECT_GE(asked_in(2_s), 1U);
    EXPECT_FALSE(resolver_.find(router.ip));
    EXPECT_EQ(events(), std::vector{Event::lost});
    receive(Operation::request, router);
    EXPECT_EQ(resolver_.find(router.ip), router.mac) << "who asks is heard as well";
    EXPECT_EQ(events(), std::vector{Event::resolved});
}

TEST_F(ResolverTest, FollowsOneThatMoves) {
    receive(Operation::reply, router);
    receive(Operation::reply, {{0x0200'0000'00FD}, router.ip});
    EXPECT_EQ(resolver_.find(router.ip), MacAddress{0x0200'0000'00FD});
    EXPECT_EQ(events(), (std::vector{Event::resolved, Event::moved}));
}

TEST_F(ResolverTest, LearnsFromTheAnnouncementOfOneThatIsWanted) {
    EXPECT_EQ(asked_in(30_s), 7U);
    announced(router);
    EXPECT_EQ(resolver_.find(router.ip), router.mac) << "before it is asked again";
    EXPECT_EQ(events(), std::vector{Event::resolved});
    const auto requests = proceed();
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(read_address(requests[0].data()), broadcast_address) << "whether that is so";
    receive(Operation::reply, router);
    EXPECT_EQ(asked_in(29_s), 0U);
    announced(stranger);
    EXPECT_FALSE(resolver_.find(stranger.ip)) << "nobody asked for it";
    announced({stranger.mac, own.ip});
    EXPECT_EQ(events(), std::vector{Event::same_address});
}

TEST_F(ResolverTest, FollowsAnAnnouncementThatIsTrueAndForgetsOneThatIsNot) {
    receive(Operation::reply, router);
    const MacAddress other{0x0200'0000'00FD};
    announced({other, router.ip});
    EXPECT_EQ(resolver_.find(router.ip), other);
    EXPECT_EQ(asked_in(9_s), 9U);
    EXPECT_EQ(resolver_.find(router.ip), other);
    announced({other, router.ip});
    EXPECT_EQ(asked_in(1_s + 100_ms), 2U) << "said again it is no truer";
    EXPECT_FALSE(resolver_.find(router.ip));
    EXPECT_EQ(events(), (std::vector{Event::resolved, Event::moved, Event::lost}));
    EXPECT_EQ(asked_in(2_s), 2U) << "as one that was never known";
}

TEST_F(ResolverTest, WhoHasTheAddressIsBelievedBeforeWhoAnnouncesIt) {
    receive(Operation::reply, router);
    announced({stranger.mac, router.ip});
    EXPECT_EQ(resolver_.find(router.ip), stranger.mac);
    ASSERT_EQ(proceed().size(), 1U);
    receive(Operation::reply, router);
    EXPECT_EQ(resolver_.find(router.ip), router.mac);
    now_ += Resolver::fresh;
    const auto requests = proceed();
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(read_address(requests[0].data()), router.mac) << "it is asked itself again";
}

TEST_F(ResolverTest, AnnouncementsInTurnKeepNobodyKnown) {
    receive(Operation::reply, router);
    for (uint64_t turn = 0; turn < 4; ++turn) {
        announced({{stranger.mac.bits + turn % 2}, router.ip});
        asked_in(3_s);
    }
    EXPECT_EQ(events(), (std::vector{Event::resolved, Event::moved, Event::moved, Event::moved,
                                     Event::moved, Event::lost}));
    announced(router);
    receive(Operation::reply, router);
    now_ += Resolver::known - 2_s;
    announced(stranger);
    announced({stranger.mac, router.ip});
    now_ += 2_s;
    proceed();
    EXPECT_FALSE(resolver_.find(router.ip)) << "nor longer than it would have been";
}

TEST_F(ResolverTest, ItsOwnMacIsNobodyElses) {
    announced({own.mac, router.ip});
    receive(Operation::reply, {own.mac, router.ip});
    EXPECT_FALSE(resolver_.find(router.ip));
}

TEST_F(ResolverTest, AnAnnouncementOfWhatIsKnownKeepsNobodyAlive) {
    receive(Operation::reply, router);
    now_ += Resolver::known - 1_s;
    announced(router);
    now_ += 1_s;
    proceed();
    EXPECT_FALSE(resolver_.find(router.ip));
}

TEST_F(ResolverTest, BelievesNoGroupAndNobody) {
    receive(Operation::reply, {broadcast_address, router.ip});
    receive(Operation::reply, {{}, router.ip});
    announced({broadcast_address, router.ip});
    EXPECT_FALSE(resolver_.find(router.ip));
    EXPECT_TRUE(events().empty());
}

TEST_F(ResolverTest, ReportsOnceWhoHasItsAddress) {
    receive(Operation::request, {stranger.mac, own.ip});
    receive(Operation::request, {stranger.mac, own.ip});
    EXPECT_EQ(events(), std::vector{Event::same_address});
}

TEST_F(ResolverTest, KeepsWhatIsStillWanted) {
    receive(Operation::reply, router);
    const std::array<IpAddress, 2> both = {router.ip, stranger.ip};
    resolver_.want(both, now_);
    EXPECT_EQ(resolver_.find(router.ip), router.mac);
    EXPECT_EQ(asked_in(1_s), 1U);
    const std::array<IpAddress, 1> other = {stranger.ip};
    resolver_.want(other, now_);
    EXPECT_FALSE(resolver_.find(router.ip));
}

class NeighbourDiscoveryTest : public ResolverTest {
  protected:
    NeighbourDiscoveryTest() {
        const std::array<IpAddress, 1> wanted = {router6};
        resolver_.want(wanted, now_);
    }

    std::optional<Octets> solicited(const Ipv6Address& target, const Ipv6Address& from = router6,
                                    MacAddress mac = router.mac,
                                    bool has_link_layer_address = true) {
        return resolver_.receive(
            write_solicitation({from, target, mac, has_link_layer_address}, std::nullopt), now_,
            changes_);
    }
    // The router sends us an advertisement.
    void advertised(const Advertisement& packet) {
        resolver_.receive(write_advertisement(packet, {own6, packet.target, own.mac}), now_,
                          changes_);
    }
};

TEST_F(NeighbourDiscoveryTest, WhoAsksForAnAddressOrASidIsAnswered) {
    for (const Ipv6Address& target : {own6, sid}) {
        const auto answer = solicited(target);
        ASSERT_TRUE(answer);
        EXPECT_EQ(read_address(answer->data()), router.mac);
        const auto read = read_advertisement(*answer);
        ASSERT_TRUE(read);
        EXPECT_EQ(read->target, target);
        EXPECT_EQ(read->mac, own.mac);
        EXPECT_TRUE(read->solicited && read->overrides);
    }
    EXPECT_FALSE(solicited(router6));
    EXPECT_EQ(resolver_.find(router6), router.mac) << "who asks is heard";
}

TEST_F(NeighbourDiscoveryTest, AsksTheGroupThenTheStationItself) {
    auto requests = proceed();
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(read_address(requests[0].data()), MacAddress{0x3333'FF00'00FE});
    EXPECT_EQ(read_solicitation(requests[0])->source, own6);
    advertised({.target = router6, .mac = router.mac});
    EXPECT_EQ(resolver_.find(router6), router.mac);
    EXPECT_EQ(events(), std::vector{Event::resolved});
    now_ += Resolver::fresh;
    requests = proceed();
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(read_address(requests[0].data()), router.mac);
    EXPECT_EQ(asked_in(11_s), 10U);
    EXPECT_EQ(events(), std::vector{Event::lost});
}

// RFC 4861 7.2.5: without the override flag the known address stays.
TEST_F(NeighbourDiscoveryTest, BelievesNoProxyBeforeTheStation) {
    advertised({.target = router6, .mac = router.mac});
    advertised({.target = router6, .mac = stranger.mac, .overrides = false});
    EXPECT_EQ(resolver_.find(router6), router.mac);
    advertised({.target = router6, .mac = stranger.mac});
    EXPECT_EQ(resolver_.find(router6), stranger.mac);
    EXPECT_EQ(events(), (std::vector{Event::resolved, Event::moved}));
    advertised({.target = router6, .mac = broadcast_address});
    EXPECT_EQ(resolver_.find(router6), stranger.mac);
}

// To all nodes, as write_advertisement writes it if nobody asked.
TEST_F(NeighbourDiscoveryTest, LearnsFromAnUnsolicitedAdvertisement) {
    const auto unsolicited = [this](const Advertisement& packet) {
        resolver_.receive(write_advertisement(packet, {}), now_, changes_);
    };
    unsolicited({.target = test::ipv6_of(1, 0x77), .mac = stranger.mac});
    EXPECT_TRUE(events().empty()) << "of one that is not wanted";
    unsolicited({.target = sid, .mac = stranger.mac});
    EXPECT_EQ(events(), std::vector{Event::same_address});
    unsolicited({.target = router6, .mac = router.mac, .has_link_layer_address = false});
    EXPECT_FALSE(resolver_.find(router6)) << "it does not say what its MAC is";
    unsolicited({.target = router6, .mac = router.mac});
    EXPECT_EQ(resolver_.find(router6), router.mac);
    EXPECT_EQ(asked_in(1_s), 1U) << "whether that is so";
    advertised({.target = router6, .mac = router.mac});
    unsolicited({.target = router6, .mac = stranger.mac, .overrides = false});
    EXPECT_EQ(resolver_.find(router6), router.mac);
    unsolicited({.target = router6, .mac = stranger.mac});
    EXPECT_EQ(resolver_.find(router6), stranger.mac);
    asked_in(11_s);
    EXPECT_FALSE(resolver_.find(router6)) << "it did not answer";
    EXPECT_EQ(events(), (std::vector{Event::resolved, Event::moved, Event::lost}));
}

// A host that tests whether the address is free (RFC 4862 5.4.3) is answered by way of all nodes;
// it has no address yet, so there is nothing to report.
TEST_F(NeighbourDiscoveryTest, DefendsItsAddressAndReportsOnceWhoHasItAsWell) {
    const auto answer = solicited(own6, {}, stranger.mac, false);
    ASSERT_TRUE(answer);
    EXPECT_EQ(read_address(answer->data()), MacAddress{0x3333'0000'0001});
    EXPECT_FALSE(read_advertisement(*answer)->solicited);
    EXPECT_TRUE(events().empty());
    solicited(sid, own6, stranger.mac);
    ASSERT_EQ(changes_.size(), 1U);
    EXPECT_EQ(changes_[0].event, Event::same_address);
    EXPECT_EQ(changes_[0].ip, IpAddress(own6)) << "what it sent from, not what it asked for";
    solicited(sid, own6, stranger.mac);
    EXPECT_EQ(changes_.size(), 1U);
}

TEST_F(NeighbourDiscoveryTest, LearnsOfNobodyWhatItDoesNotSay) {
    const auto answer = solicited(own6, router6, router.mac, false);
    ASSERT_TRUE(answer) << "it is answered all the same";
    EXPECT_EQ(read_address(answer->data()), router.mac);
    advertised({.target = router6, .mac = router.mac, .has_link_layer_address = false});
    EXPECT_FALSE(resolver_.find(router6));
    advertised({.target = router6, .mac = router.mac});
    events();
    now_ += Resolver::fresh - 1_s;
    advertised({.target = router6, .mac = stranger.mac, .has_link_layer_address = false});
    EXPECT_EQ(resolver_.find(router6), router.mac);
    EXPECT_TRUE(events().empty());
    now_ += Resolver::known - 1_s;
    proceed();
    EXPECT_EQ(resolver_.find(router6), router.mac) << "it was heard";
}

TEST_F(NeighbourDiscoveryTest, AnswersNoMoreForSidsThatWentAndKnowsWhatItKnew) {
    advertised({.target = router6, .mac = router.mac});
    resolver_.set_sids({});
    EXPECT_FALSE(solicited(sid));
    EXPECT_TRUE(solicited(own6));
    EXPECT_EQ(resolver_.find(router6), router.mac);
}

}  // namespace
}  // namespace sluice::neighbours
