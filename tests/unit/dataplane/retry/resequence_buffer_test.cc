#include "dataplane/retry/resequence_buffer.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice {
namespace {

RetrySequence number(uint32_t number) { return RetrySequence(number); }

// Told apart by their VLANs.
Frame frame(VlanId vlan, uint16_t length = 64) {
    Frame frame{};
    frame.vlan = vlan;
    frame.length = length;
    return frame;
}

std::vector<VlanId> taken(ResequenceBuffer& buffer, ReplayQueue::Classes held = 0) {
    std::vector<VlanId> vlans;
    while (const auto frame = buffer.take(held)) vlans.push_back(frame->vlan);
    return vlans;
}

std::vector<VlanId> unwanted(ResequenceBuffer& buffer) {
    std::vector<VlanId> vlans;
    while (const auto frame = buffer.take_unwanted()) vlans.push_back(frame->vlan);
    return vlans;
}

TEST(ResequenceBuffer, HasThemInTheOrderInWhichTheirGapsAreFilled) {
    ResequenceBuffer buffer(Bytes(4096));
    buffer.keep(number(3), frame(3), 2);
    buffer.keep(number(2), frame(2), 2);
    EXPECT_TRUE(taken(buffer).empty());
    EXPECT_EQ(buffer.wait(number(2)), Bytes(64));
    buffer.wait(number(3));
    EXPECT_TRUE(buffer.must_wait(2));
    EXPECT_FALSE(buffer.must_wait(1));
    buffer.wait(frame(4), 2);
    EXPECT_EQ(taken(buffer), (std::vector<VlanId>{2, 3, 4}));
    EXPECT_FALSE(buffer.has_waiting());
}

TEST(ResequenceBuffer, AClassThatIsHeldHoldsNoOther) {
    ResequenceBuffer buffer(Bytes(4096));
    buffer.wait(frame(1), 3);
    buffer.wait(frame(2), 4);
    buffer.wait(frame(3), 3);
    buffer.wait(frame(4), 4);
    EXPECT_EQ(taken(buffer, 0x08), (std::vector<VlanId>{2, 4}));
    EXPECT_TRUE(buffer.must_wait(3));
    EXPECT_EQ(taken(buffer), (std::vector<VlanId>{1, 3}));
}

TEST(ResequenceBuffer, TheyEnterAsTheyCame) {
    ResequenceBuffer buffer(Bytes(4096));
    for (VlanId vlan = 1; vlan <= 4; ++vlan) {
        buffer.wait(frame(vlan), static_cast<uint8_t>(vlan % 2));
    }
    EXPECT_EQ(taken(buffer), (std::vector<VlanId>{1, 2, 3, 4}));
}

// An update says how much its sender has sent so far.
TEST(ResequenceBuffer, AnUpdateOfCreditKeepsItsPlace) {
    ResequenceBuffer buffer(Bytes(4096));
    buffer.wait(frame(1), 3);
    EXPECT_TRUE(buffer.must_wait(ReplayQueue::never_paused));
    buffer.wait(frame(2), ReplayQueue::never_paused);
    EXPECT_TRUE(buffer.must_wait(4)) << "or it would be counted before it";
    buffer.wait(frame(3), 4);
    EXPECT_TRUE(taken(buffer, 0x08).empty());
    EXPECT_EQ(taken(buffer), (std::vector<VlanId>{1, 2, 3}));
}

TEST(ResequenceBuffer, AShortFrameCountsAsItsBuffer) {
    ResequenceBuffer buffer(Bytes(1024));
    EXPECT_EQ(ResequenceBuffer::most_frames(Bytes(1024)), 4U);
    for (uint32_t n = 0; n < 3; ++n) buffer.keep(number(n + 1), frame(1), 0);
    EXPECT_EQ(buffer.used(), Bytes(768));
    EXPECT_TRUE(buffer.has_room(256));
    EXPECT_FALSE(buffer.has_room(257));
    buffer.wait(number(1));
    EXPECT_FALSE(buffer.has_room(257)) << "it is still here";
    taken(buffer);
    EXPECT_TRUE(buffer.has_room(512));
    EXPECT_EQ(buffer.most_used(), Bytes(768));
    buffer.clear_watermark();
    EXPECT_EQ(buffer.most_used(), Bytes(512));
}

TEST(ResequenceBuffer, FillsAndEmptiesForEver) {
    ResequenceBuffer buffer(Bytes(1024));
    for (uint32_t round = 0; round < 300'000; ++round) {
        for (uint32_t n = 0; n < 4; ++n) buffer.keep(number(4 * round + n), frame(1), n % 2);
        ASSERT_FALSE(buffer.has_room(1));
        for (uint32_t n = 0; n < 4; ++n) buffer.wait(number(4 * round + n));
        ASSERT_EQ(taken(buffer).size(), 4U);
    }
    EXPECT_EQ(buffer.used(), Bytes(0));
}

TEST(ResequenceBuffer, WhatIsForgottenIsToBeFreed) {
    ResequenceBuffer buffer(Bytes(4096));
    buffer.keep(number(1), frame(1), 0);
    buffer.wait(frame(2), 0);
    buffer.forget();
    EXPECT_EQ(unwanted(buffer), (std::vector<VlanId>{1}));
    buffer.keep(number(1), frame(3), 0);  // of the next session
    buffer.forget_all();
    EXPECT_EQ(unwanted(buffer), (std::vector<VlanId>{3, 2}));
    EXPECT_EQ(buffer.used(), Bytes(0));
    EXPECT_TRUE(taken(buffer).empty());
}

TEST(ResequenceBuffer, WithoutRoomItKeepsNone) {
    ResequenceBuffer buffer(Bytes(0));
    EXPECT_EQ(buffer.window(), 0U);
    EXPECT_FALSE(buffer.has_room(1));
}

}  // namespace
}  // namespace sluice
