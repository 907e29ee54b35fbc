#include "dataplane/egress/egress_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace sluice {
namespace {

using namespace literals;

// A frame named by a letter, 100 octets long.
Frame named(char name, uint16_t length = 100) {
    Frame frame;
    frame.vlan = static_cast<VlanId>(name);
    frame.length = length;
    return frame;
}
char name_of(const Frame& frame) { return static_cast<char>(frame.vlan); }

class OneWorkersQueue : public EgressQueue {
  public:
    OneWorkersQueue() { reserve(1); }
};

void push(EgressQueue& queue, std::string_view names) {
    std::vector<Frame> frames;
    for (const char name : names) frames.push_back(named(name));
    queue.push(frames);
}
std::string pop(EgressQueue& queue, std::size_t count) {
    std::vector<Frame> frames(count);
    frames.resize(queue.pop(frames));
    std::string names;
    for (const Frame& frame : frames) names += name_of(frame);
    return names;
}

TEST(EgressQueue, IsFirstInFirstOut) {
    OneWorkersQueue queue;
    push(queue, "abc");
    push(queue, "de");
    EXPECT_EQ(pop(queue, 2), "ab");
    EXPECT_EQ(name_of(queue.pop()), 'c');
    push(queue, "f");
    EXPECT_EQ(pop(queue, 64), "def");
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(pop(queue, 64), "");
}

TEST(EgressQueue, CountsFramesAndOctets) {
    OneWorkersQueue queue;
    push(queue, "abc");
    EXPECT_EQ(queue.waiting(), 3U);
    EXPECT_EQ(queue.bytes(), 300_B);
    pop(queue, 2);
    EXPECT_EQ(queue.waiting(), 1U);
    EXPECT_EQ(queue.bytes(), 100_B);
    queue.unpop(named('b'));
    EXPECT_EQ(queue.bytes(), 200_B);
}

TEST(EgressQueue, WhatWasRefusedIsNextAgain) {
    OneWorkersQueue queue;
    push(queue, "abcd");
    EXPECT_EQ(pop(queue, 3), "abc");
    queue.unpop(named('c'));
    queue.unpop(named('b'));
    EXPECT_EQ(name_of(queue.front()), 'b');
    EXPECT_EQ(pop(queue, 64), "bcd");
}

TEST(EgressQueue, TheFirstFrameMayGoBackToo) {
    OneWorkersQueue queue;
    push(queue, "a");
    const Frame first = queue.pop();
    queue.unpop(first);
    EXPECT_EQ(pop(queue, 64), "a");
}

TEST(EgressQueue, KeepsOrderAsItWrapsAround) {
    OneWorkersQueue queue;
    std::string sent;
    std::string expected;
    char name = 'a';
    for (int turn = 0; turn < 200; ++turn) {
        const std::string names = {name, static_cast<char>(name + 1), static_cast<char>(name + 2)};
        push(queue, names);
        expected += names;
        name = name == 'x' ? 'a' : static_cast<char>(name + 1);
        sent += pop(queue, 3);
    }
    EXPECT_EQ(sent + pop(queue, 64), expected);
}

TEST(EgressQueue, HasRoomBelowAQuantum) {
    OneWorkersQueue queue;
    EXPECT_TRUE(queue.has_room(1518_B));
    queue.push(std::vector{named('a', 1517)});
    EXPECT_TRUE(queue.has_room(1518_B));
    queue.push(std::vector{named('b', 1)});
    EXPECT_FALSE(queue.has_room(1518_B));
    queue.pop();
    EXPECT_TRUE(queue.has_room(1518_B));
}

// Whatever the octets: a transfer of the most frames must fit its ring.
TEST(EgressQueue, HasRoomOnlyForAWholeTransfer) {
    OneWorkersQueue queue;
    push(queue, std::string(EgressQueue::capacity - max_transfer, 'a'));
    EXPECT_TRUE(queue.has_room(1_MiB));
    push(queue, "b");
    EXPECT_FALSE(queue.has_room(1_MiB));
}

TEST(EgressQueue, HoldsTwoWholeTransfers) {
    OneWorkersQueue queue;
    push(queue, std::string(max_transfer, 'a'));
    push(queue, std::string(max_transfer, 'b'));
    EXPECT_EQ(pop(queue, 2 * max_transfer),
              std::string(max_transfer, 'a') + std::string(max_transfer, 'b'));
}

// The ring has room for all frames that its workers may bring, and positions wrap in it.
TEST(EgressQueue, HoldsAllThatItsWorkersMayBring) {
    for (uint8_t workers = 1; workers <= 16; ++workers) {
        EgressQueue queue;
        queue.reserve(workers);
        push(queue, "ab");
        pop(queue, 1);
        const std::string rest(EgressQueue::most_frames(workers) - 1, 'c');
        push(queue, rest);
        EXPECT_EQ(pop(queue, 1 + rest.size()), "b" + rest) << int{workers};
    }
}

}  // namespace
}  // namespace sluice
