#include "dataplane/types/tag.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::hex;
using test::Octets;

// Applies an edit to a frame of VLAN 10 and priority 5.
Octets after(TagEdit edit, const Octets& octets, uint8_t* network_offset = nullptr) {
    Octets room(tag_octets);
    room.insert(room.end(), octets.begin(), octets.end());
    room.resize(room.size() + tag_octets, 0xEE);
    Frame frame{};
    frame.data = room.data() + tag_octets;
    frame.length = static_cast<uint16_t>(octets.size());
    frame.vlan = 10;
    frame.priority = 5;
    if (network_offset != nullptr) frame.network_offset = *network_offset;
    plan(frame, edit);
    EXPECT_EQ(edit_of(frame), edit);
    if (network_offset != nullptr) *network_offset = frame.network_offset;
    rewrite_tag(frame, static_cast<uint16_t>(octets.size()), 5);
    EXPECT_EQ(edit_of(frame), TagEdit::none);
    EXPECT_EQ(frame.vlan & 0x0FFF, 10);
    EXPECT_EQ(has_own_tag(frame), is_push(edit));
    return {frame.data, frame.data + frame.length};
}

const Octets plain = hex("020000000101 020000000100 88b5 aa bb cc");
const Octets customer = hex("020000000101 020000000100 8100 700a 88b5 aa bb cc");
const Octets priority_only = hex("020000000101 020000000100 8100 7000 88b5 aa bb cc");

TEST(Tag, NoneLeavesAFrameAsItCame) { EXPECT_EQ(after(TagEdit::none, customer), customer); }

TEST(Tag, PopTakesTheOuterTag) {
    EXPECT_EQ(after(TagEdit::pop, customer), plain);
    EXPECT_EQ(after(TagEdit::pop, hex("020000000101 020000000100 88a8 700a 8100 2014 88b5")),
              hex("020000000101 020000000100 8100 2014 88b5"));
}

TEST(Tag, PushPutsOneInFrontWithThePriority) {
    EXPECT_EQ(after(TagEdit::push_customer, plain),
              hex("020000000101 020000000100 8100 a00a 88b5 aa bb cc"));
    EXPECT_EQ(after(TagEdit::push_service, customer),
              hex("020000000101 020000000100 88a8 a00a 8100 700a 88b5 aa bb cc"));
}

TEST(Tag, SetKeepsPriorityAndDropEligible) {
    EXPECT_EQ(after(TagEdit::set_customer, priority_only), customer);
    EXPECT_EQ(after(TagEdit::set_service, customer),
              hex("020000000101 020000000100 88a8 700a 88b5 aa bb cc"));
}

// A frame of `length` octets whose payload is 0xAA throughout.
Octets tagged_of(std::size_t length) {
    Octets octets = customer;
    octets.resize(length, 0xAA);
    return octets;
}

TEST(Tag, AFrameThatWasLongEnoughForAWireStaysSo) {
    for (const std::size_t length : {60U, 61U, 63U, 64U, 65U, 1522U}) {
        const Octets left = after(TagEdit::pop, tagged_of(length));
        ASSERT_EQ(left.size(), std::max<std::size_t>(60, length - 4));
        for (std::size_t octet = 17; octet < left.size(); ++octet) {
            ASSERT_EQ(left[octet], octet < length - 4 ? 0xAA : 0) << octet << " of " << length;
        }
    }
}

TEST(Tag, AFrameThatWasShorterIsOfNoWire) {
    EXPECT_EQ(after(TagEdit::pop, tagged_of(59)).size(), 55U);
}

TEST(Tag, AnIpHeaderIsFoundWhereItWillBe) {
    uint8_t offset = 18;
    after(TagEdit::pop, customer, &offset);
    EXPECT_EQ(offset, 14);
    after(TagEdit::push_customer, customer, &offset);
    EXPECT_EQ(offset, 18);
    offset = 0;
    after(TagEdit::push_customer, plain, &offset);
    EXPECT_EQ(offset, 0);  // there is none
}

}  // namespace
}  // namespace sluice
