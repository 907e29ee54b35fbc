#include "dataplane/forward/multicast/membership_message.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/membership_octets.h"

namespace sluice {
namespace {

using test::address_6;
using test::Fenced;
using test::group_6;
using test::igmp;
using test::igmp_3;
using test::mld;
using test::mld_2;
using test::nobody_6;
using test::Octets;
using Kind = MembershipMessage::Kind;

constexpr uint32_t group_a = 0xE1010203, group_b = 0xEF818283;

MembershipMessage read(const Octets& octets) { return read_membership(octets); }

// "+010203 -018283 >010203:9,10 =010203:9 !010203:9": joins, leaves, includes, narrows and blocks,
// each with the last octets of its address, and the last of each source.
std::string said(const MembershipMessage& message) {
    std::string text;
    message.for_each_change([&](const MembershipChange& change) {
        constexpr std::string_view digits = "0123456789abcdef";
        if (!text.empty()) text += ' ';
        text += "+->=!"[static_cast<std::size_t>(change.says)];
        for (int shift = 20; shift >= 0; shift -= 4) {
            text += digits[change.group.bits >> shift & 0xF];
        }
        char before = ':';
        change.for_each_source([&](const GroupSource& source) {
            text += before + std::to_string(source.low & 0xFF);
            before = ',';
        });
    });
    return text;
}
std::string said_by(const Octets& octets) {
    const Fenced fenced(octets);
    const MembershipMessage message = read_membership(fenced.octets());
    return message.kind == Kind::report ? said(message) : "no report";
}

// --- groups and their addresses ------------------------------------------------------------------

TEST(MembershipMessage, KnowsWhoseAGroupIs) {
    EXPECT_EQ(protocol_of({0x01005E000000}), GroupProtocol::igmp);
    EXPECT_EQ(protocol_of({0x01005E7FFFFF}), GroupProtocol::igmp);
    EXPECT_EQ(protocol_of({0x01005E800000}), std::nullopt);  // 23 bits are IP's
    EXPECT_EQ(protocol_of({0x01005D000001}), std::nullopt);
    EXPECT_EQ(protocol_of({0x333312345678}), GroupProtocol::mld);
    EXPECT_EQ(protocol_of(broadcast_address), std::nullopt);
    EXPECT_EQ(protocol_of({0x0180C2000020}), std::nullopt);
}

TEST(MembershipMessage, KnowsWhatGoesToAll) {
    EXPECT_TRUE(goes_to_all(test::mac_of(0xE0000001)));
    EXPECT_TRUE(goes_to_all(test::mac_of(0xE00000FB)));
    EXPECT_FALSE(goes_to_all(test::mac_of(0xE0000101)));
    EXPECT_TRUE(goes_to_all(test::mac_of(address_6(0xFF02, 1))));
    EXPECT_FALSE(goes_to_all(test::mac_of(address_6(0xFF02, 2))));
    EXPECT_TRUE(goes_to_all({0x3333FF123456}));
}

// --- IGMP ----------------------------------------------------------------------------------------

TEST(MembershipMessage, ReadsJoinsAndLeavesOfEveryVersion) {
    EXPECT_EQ(said_by(igmp(test::igmp_report_1, group_a)), "+010203");
    EXPECT_EQ(said_by(igmp(test::igmp_report_2, group_a)), "+010203");
    EXPECT_EQ(said_by(igmp(test::igmp_leave, group_b)), "-018283");
    EXPECT_TRUE(read(igmp(test::igmp_report_1, group_a)).lasting);
    EXPECT_FALSE(read(igmp(test::igmp_report_2, group_a)).lasting);
}

TEST(MembershipMessage, NeedsNoRouterAlertOfIpv4) {
    EXPECT_EQ(said_by(igmp(test::igmp_report_2, group_a, {.router_alert = false})), "+010203");
}

TEST(MembershipMessage, ReadsTheRecordsOfVersion3) {
    EXPECT_EQ(said_by(igmp_3({{4, group_a}})), "+010203");                // TO_EX {}: joins
    EXPECT_EQ(said_by(igmp_3({{2, group_a, {9}}})), "+010203");           // IS_EX
    EXPECT_EQ(said_by(igmp_3({{1, group_a, {9}}})), ">010203:9");         // IS_IN
    EXPECT_EQ(said_by(igmp_3({{3, group_a, {9, 10}}})), "=010203:9,10");  // TO_IN with sources
    EXPECT_EQ(said_by(igmp_3({{5, group_a, {9}}})), ">010203:9");         // ALLOW
    EXPECT_EQ(said_by(igmp_3({{3, group_a}})), "-010203");                // TO_IN {}: leaves
    EXPECT_EQ(said_by(igmp_3({{6, group_a, {9, 7}}})), "!010203:9,7");    // BLOCK
    EXPECT_EQ(said_by(igmp_3({{6, group_a}})), "");
    EXPECT_EQ(said_by(igmp_3({{1, group_a}})), "");
    EXPECT_EQ(said_by(igmp_3({{5, group_a}})), "");
    EXPECT_EQ(said_by(igmp_3({{7, group_a, {9}}})), "");  // of a type that there is not
    EXPECT_EQ(said_by(igmp_3({})), "");
}

TEST(MembershipMessage, StepsOverSourcesAndAuxiliaryData) {
    EXPECT_EQ(said_by(igmp_3({{4, group_a, {1, 2}, 3}, {6, group_a, {1}}, {3, group_b, {}, 1}})),
              "+010203 !010203:1 -018283");
}

TEST(MembershipMessage, PassesOverWhatIsNoGroupOrGoesToAll) {
    EXPECT_EQ(said_by(igmp(test::igmp_report_2, 0x0A000001)), "");
    EXPECT_EQ(said_by(igmp(test::igmp_report_2, 0xE00000FB)), "");
    EXPECT_EQ(said_by(igmp_3({{4, 0xE0000016}, {4, group_a}})), "+010203");
}

TEST(MembershipMessage, AQueryIsARoutersIfItSaysWhoAsks) {
    EXPECT_EQ(read(igmp(test::igmp_query, 0)).kind, Kind::query);
    EXPECT_TRUE(read(igmp(test::igmp_query, group_a)).from_router);
    const MembershipMessage of_nobody = read(igmp(test::igmp_query, 0, {.from = 0}));
    EXPECT_EQ(of_nobody.kind, Kind::query);
    EXPECT_FALSE(of_nobody.from_router);
    EXPECT_FALSE(read(igmp(test::igmp_report_2, group_a)).from_router);
}

// RFC 4541 2.1.1: by which a router that does not query is known.
TEST(MembershipMessage, ARouterAnnouncesItselfByPimAndMrd) {
    const auto announces = [](const Octets& octets) {
        const Fenced fenced(octets);
        const MembershipMessage message = read_membership(fenced.octets());
        return message.kind == Kind::announcement && message.from_router;
    };
    EXPECT_TRUE(announces(test::pim_4()));
    EXPECT_EQ(read(test::pim_4()).protocol, GroupProtocol::igmp);
    EXPECT_FALSE(announces(test::pim_4(0x20, 0)));
    EXPECT_EQ(read(test::pim_4(0x23)).kind, Kind::none) << "a Join";
    EXPECT_EQ(read(test::pim_4(0x10)).kind, Kind::none) << "of version 1";
    EXPECT_EQ(read(test::pim_4(0x20, 0x0A000001, 0x0A000002)).kind, Kind::none) << "to a router";
    EXPECT_TRUE(announces(test::pim_6(address_6(0xFE80, 1))));
    EXPECT_EQ(read(test::pim_6(address_6(0xFE80, 1))).protocol, GroupProtocol::mld);
    EXPECT_FALSE(announces(test::pim_6(address_6(0x2001, 1))));
    EXPECT_FALSE(announces(test::pim_6(address_6(0xFE80, 1), 64)));
    EXPECT_TRUE(announces(igmp(test::igmp_router, 0)));
    EXPECT_FALSE(announces(igmp(test::igmp_router, 0, {.from = 0})));
    EXPECT_TRUE(announces(mld(test::mld_router, nobody_6)));
}

TEST(MembershipMessage, ADamagedHelloAnnouncesNobody) {
    for (const Octets& sound : {test::pim_4(), test::pim_6(address_6(0xFE80, 1))}) {
        const std::size_t first = sound[0] >> 4 == 6 ? 4 : 0;  // behind the flow label
        for (std::size_t at = first; at < sound.size(); ++at) {
            Octets damaged = sound;
            damaged[at] ^= 0x10;
            EXPECT_NE(read(damaged).kind, Kind::announcement) << at;
        }
        for (std::size_t length = 0; length < sound.size(); ++length) {
            const Fenced cut(std::span<const uint8_t>(sound).first(length));
            EXPECT_NE(read_membership(cut.octets()).kind, Kind::announcement) << length;
        }
    }
}

TEST(MembershipMessage, WhatItDoesNotKnowIsOther) {
    EXPECT_EQ(read(igmp(0x13, 0)).kind, Kind::other);  // DVMRP
    Octets fragment = igmp(test::igmp_report_2, group_a);
    fragment[6] = 0x20;  // more of it follow
    write_16(&fragment[10], 0);
    write_16(&fragment[10], test::checksum_of(std::span(fragment).first(24)));
    EXPECT_EQ(read(fragment).kind, Kind::other);
}

TEST(MembershipMessage, WhatIsNoIgmpIsNone) {
    EXPECT_EQ(read(igmp(test::igmp_report_2, group_a, {.protocol = 17})).kind, Kind::none);
    EXPECT_EQ(read({}).kind, Kind::none);
    EXPECT_EQ(read({0x45}).kind, Kind::none);
    EXPECT_EQ(read(Octets(40, 0x55)).kind, Kind::none);
}

// One bit of each octet of a message is flipped in turn: the message is never believed.
TEST(MembershipMessage, IsNotBelievedWithAWrongChecksum) {
    for (const Octets& sound : {igmp(test::igmp_report_2, group_a), igmp_3({{4, group_a}})}) {
        for (std::size_t at = 0; at < sound.size(); ++at) {
            Octets damaged = sound;
            damaged[at] ^= 0x10;
            EXPECT_NE(read(damaged).kind, Kind::report) << at;
            EXPECT_NE(read(damaged).kind, Kind::query) << at;
        }
    }
    Octets damaged = igmp(test::igmp_report_2, group_a);
    damaged.back() ^= 1;
    EXPECT_EQ(read(damaged).kind, Kind::damaged);
}

TEST(MembershipMessage, IsNotBelievedWhenItIsCut) {
    for (const Octets& sound : {igmp(test::igmp_report_2, group_a), igmp_3({{4, group_a, {1, 2}}}),
                                mld(test::mld_report_1, group_6(7)), mld_2({{4, group_6(7)}})}) {
        for (std::size_t length = 0; length < sound.size(); ++length) {
            const Fenced cut(std::span<const uint8_t>(sound).first(length));
            EXPECT_NE(read_membership(cut.octets()).kind, Kind::report) << length;
        }
    }
}

// The checksum is right, but a record ends behind the message: not even the first counts.
TEST(MembershipMessage, IsNotBelievedWhenARecordIsCut) {
    constexpr std::size_t message = 24;
    const auto with = [](Octets octets, std::size_t at, uint16_t value) {
        write_16(&octets[message + at], value);
        write_16(&octets[message + 2], 0);
        write_16(&octets[message + 2], test::checksum_of(std::span(octets).subspan(message)));
        return octets;
    };
    const Octets two = igmp_3({{4, group_a}, {4, group_b}});
    EXPECT_EQ(read(with(two, 18, 1)).kind, Kind::damaged);  // a source of the second
    EXPECT_EQ(read(with(two, 6, 3)).kind, Kind::damaged);   // a third
    EXPECT_EQ(said(read(with(two, 6, 1))), "+010203");
}

TEST(MembershipMessage, WhatPadsTheFrameIsNotRead) {
    Octets padded = igmp(test::igmp_report_2, group_a);
    padded.resize(46, 0xEE);
    EXPECT_EQ(said_by(padded), "+010203");
    padded = mld(test::mld_report_1, group_6(7));
    padded.resize(200, 0xEE);
    EXPECT_EQ(said_by(padded), "+000007");
}

// --- MLD -----------------------------------------------------------------------------------------

TEST(MembershipMessage, ReadsMldOfBothVersions) {
    EXPECT_EQ(said_by(mld(test::mld_report_1, group_6(0x010203))), "+010203");
    EXPECT_EQ(said_by(mld(test::mld_done, group_6(0x010203))), "-010203");
    EXPECT_EQ(said_by(mld_2({{4, group_6(17)},
                             {3, group_6(2)},
                             {5, group_6(3), {group_6(9)}, 2},
                             {6, group_6(4), {group_6(9)}},
                             {2, group_6(5)}})),
              "+000011 -000002 >000003:9 !000004:9 +000005");
    EXPECT_EQ(read(mld(test::mld_report_1, group_6(1))).protocol, GroupProtocol::mld);
}

TEST(MembershipMessage, AnMldQueryIsARoutersIfItSaysWhoAsks) {
    EXPECT_EQ(read(mld(test::mld_query, nobody_6)).kind, Kind::query);
    EXPECT_TRUE(read(mld(test::mld_query, nobody_6)).from_router);
    EXPECT_FALSE(read(mld(test::mld_query, nobody_6, {.from = nobody_6})).from_router);
}

TEST(MembershipMessage, MldComesFromTheLinkAlone) {
    const auto kind = [](const test::Ipv6Spec& spec) {
        return read(mld(test::mld_report_1, group_6(1), spec)).kind;
    };
    EXPECT_EQ(kind({.from = address_6(0x2001, 1)}), Kind::damaged);
    EXPECT_EQ(kind({.hop_limit = 64}), Kind::damaged);
    EXPECT_EQ(kind({.router_alert = false}), Kind::damaged);
    EXPECT_EQ(kind({.from = nobody_6}), Kind::report);
}

TEST(MembershipMessage, MldIsNotBelievedWithAWrongChecksum) {
    const Octets sound = mld_2({{4, group_6(7)}});
    for (std::size_t at = 0; at < sound.size(); ++at) {
        // No checksum covers the traffic class, the flow label and the padding of the options.
        if (at < 4 || at == 46 || at == 47) continue;
        Octets damaged = sound;
        damaged[at] ^= 0x04;
        EXPECT_NE(read(damaged).kind, Kind::report) << at;
    }
}

TEST(MembershipMessage, MldThatIsCutOrWithoutOptionsIsDamaged) {
    const Octets sound = mld(test::mld_report_1, group_6(1));
    for (std::size_t length = 49; length < sound.size(); ++length) {
        EXPECT_EQ(read({sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(length)}).kind,
                  Kind::damaged)
            << length;
    }
    Octets bare = sound;
    bare[6] = 58;
    bare.erase(bare.begin() + 40, bare.begin() + 48);
    EXPECT_EQ(read(bare).kind, Kind::damaged);
}

TEST(MembershipMessage, OtherIcmpIsNone) {
    EXPECT_EQ(read(test::ipv6({135, 0, 0, 0, 0, 0, 0, 0})).kind, Kind::none);
}

TEST(MembershipMessage, OptionsThatNeverEndAreNoAlert) {
    Octets octets = mld(test::mld_report_1, group_6(1));
    octets[42] = 1;    // padding in place of the alert
    octets[43] = 200;  // longer than all options
    EXPECT_EQ(read(octets).kind, Kind::damaged);
}

}  // namespace
}  // namespace sluice
