// The order of a poll, over wires that a test can see.
#include "dataplane/poll.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "dataplane/ledger.h"
#include "tests/support/lossless.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::Octets;
using test::settings_of;
using test::station;

// Takes everything and notes it as words: "pause 0", "control 1", or "PORT: NAMES".
class Wires {
  public:
    void put(InputIndex input, std::string_view names, const test::FrameSpec& spec) {
        for (const char name : names) {
            Octets octets = octets_of(spec);
            octets.back() = static_cast<uint8_t>(name);
            waiting[input.number].push_back(&kept_.emplace_back(std::move(octets)));
        }
    }

    [[nodiscard]] InputSet ready() const { return is_ready; }
    [[nodiscard]] PortSet writable() const { return is_writable; }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst) {
        ++asked[from.input.number];
        auto& queue = waiting[from.input.number];
        std::size_t count = 0;
        for (; count < burst.size() && !queue.empty(); ++count) {
            Octets* const octets = queue.front();
            queue.pop_front();
            burst[count] = {};
            burst[count].handle = octets;
            burst[count].data = octets->data();
            burst[count].length = static_cast<uint16_t>(octets->size());
        }
        return count;
    }
    std::size_t transmit(PortIndex port, std::span<const Frame> burst) {
        const std::size_t taken = std::min(room, burst.size());
        std::string names;
        for (const Frame& frame : burst.first(taken)) {
            names += static_cast<char>(frame.data[frame.length - 1]);
        }
        if (taken > 0) said.push_back(std::to_string(port) + ": " + names);
        return taken;
    }
    static std::size_t edit_tags(PortIndex, std::span<Frame> frames,
                                 const std::array<uint8_t, max_priorities>&) {
        return frames.size();
    }
    bool send(PortIndex port, std::span<const uint8_t> octets) {
        const bool pause = read_16(&octets[12]) == mac_control_ether_type;
        if (room > 0) said.push_back((pause ? "pause " : "control ") + std::to_string(port));
        return room > 0;
    }
    static void release(Released& released) { released.clear(); }
    static void free(const Frame&) {}

    InputSet is_ready = ~InputSet{0};
    PortSet is_writable = ~PortSet{0};
    std::size_t room = max_burst;  // of the device, for each call
    std::map<uint8_t, std::deque<Octets*>> waiting;
    std::map<uint8_t, int> asked;
    std::vector<std::string> said;

  private:
    std::deque<Octets> kept_;
};

struct Polled {
    explicit Polled(const Settings& settings)
        : dataplane(settings), poll(dataplane, dataplane.shard(0), wires) {
        for (PortIndex port = 0; port < settings.ports.size(); ++port) {
            dataplane.set_link(port, true);
        }
    }
    // Polls once. Returns the calls that the wires noted.
    std::vector<std::string> once(int slots = 8) {
        wires.said.clear();
        now += 1_us;
        poll(now, slots);
        return wires.said;
    }

    Wires wires;
    Switch dataplane;
    Poll<Wires> poll;
    Nanos now = 1_s;
};

using Words = std::vector<std::string>;

TEST(Poll, LetsOutWhatItLetIn) {
    Polled at(settings_of(2));
    at.wires.put(0, "abc", {.to = station(1)});
    EXPECT_EQ(at.once(), Words{"1: abc"});
    EXPECT_EQ(at.once(), Words{});
    EXPECT_TRUE(ledger_of(at.dataplane).balanced());
}

// An egress queue holds only a part of a burst of long frames: it is filled and emptied in turns.
TEST(Poll, ABurstThatIsLongerThanAnEgressQueueLeavesInTurns) {
    for (const bool bypass : {false, true}) {
        Settings settings = settings_of(2);
        settings.fabric.bypass = bypass;
        Polled at(settings);
        const std::string names(20, 'x');
        at.wires.put(0, names, {.to = station(1), .length = 1500});
        std::size_t sent = 0;
        const Words words = at.once();
        for (const std::string& word : words) sent += word.size() - 3;
        EXPECT_EQ(sent, names.size()) << bypass;
        EXPECT_GT(words.size(), 1U) << bypass;
        EXPECT_TRUE(at.dataplane.empty()) << bypass;
    }
}

TEST(Poll, APeerThatIsToStopIsPausedBeforeTheOthersAreReceived) {
    Settings settings = test::lossless_settings();
    Polled at(settings);
    at.wires.put(0, std::string(64, 'a'), test::to(1));
    at.wires.put(2, "b", {.to = station(3), .from = station(2)});
    const Words words = at.once(1);
    ASSERT_FALSE(words.empty());
    EXPECT_EQ(words.front(), "pause 0");
}

TEST(Poll, CreditIsAdvertisedAheadOfDataAndAgainAfterTheRefresh) {
    Settings settings = settings_of(2);
    settings.ports[1].flow_control = FlowControl::credit;
    settings.ports[1].credit = {.buffer = 4_KiB, .quantum = 1_KiB, .refresh = 3_us};
    Polled at(settings);
    at.dataplane.set_credit_peer(1, CreditPeer::able, 0);
    EXPECT_EQ(at.once(), Words{"control 1"}) << "it sees the link";
    at.wires.put(0, "abc", {.to = station(1)});
    EXPECT_EQ(at.once(), Words{"1: abc"});
    EXPECT_EQ(at.once(), Words{});
    at.wires.put(0, "d", {.to = station(1)});
    EXPECT_EQ(at.once(), (Words{"control 1", "1: d"}));
    at.wires.room = 0;
    at.now += 3_us;
    EXPECT_EQ(at.once(), Words{});
    at.wires.room = max_burst;
    EXPECT_EQ(at.once(), Words{"control 1"}) << "which the device had refused";
    EXPECT_TRUE(ledger_of(at.dataplane).balanced());
}

TEST(Poll, ControlGoesAheadOfData) {
    Polled at(settings_of(2));
    at.wires.put(0, "a", {.to = station(1)});
    ASSERT_TRUE(at.dataplane.send_for_control(1, Octets(60)));
    EXPECT_EQ(at.once(), (Words{"control 1", "1: a"}));
}

TEST(Poll, WhatTheDeviceRefusesWaitsForTheNextPoll) {
    Polled at(settings_of(2));
    at.wires.put(0, "abc", {.to = station(1)});
    ASSERT_TRUE(at.dataplane.send_for_control(1, Octets(60)));
    at.wires.room = 0;
    EXPECT_EQ(at.once(), Words{});
    at.wires.room = 2;
    EXPECT_EQ(at.once(), (Words{"control 1", "1: ab"}));
    EXPECT_EQ(at.once(), Words{"1: c"});
}

TEST(Poll, ASilentPortIsAskedSeldomWhileOthersAreBusy) {
    Polled at(settings_of(2));
    for (int poll = 0; poll < 200; ++poll) {
        at.wires.put(0, "a", {.to = station(1), .from = station(0)});
        at.wires.room = 0;  // a sent frame would count as a sign of its peer
        at.once();
    }
    at.wires.asked.clear();
    for (int poll = 0; poll < 100; ++poll) {
        at.wires.put(0, "a", {.to = station(1), .from = station(0)});
        at.once();
    }
    EXPECT_EQ(at.wires.asked[0], 100);
    EXPECT_EQ(at.wires.asked[1], 25);
    at.wires.waiting.clear();
    at.once();
    at.wires.asked.clear();
    for (int poll = 0; poll < 100; ++poll) at.once();
    EXPECT_EQ(at.wires.asked[1], 100);  // nobody is busy
}

TEST(Poll, WhoIsNotReadyIsNotAsked) {
    Polled at(settings_of(2));
    at.wires.put(0, "a", {.to = station(1)});
    at.wires.is_ready = 0b10;
    EXPECT_EQ(at.once(), Words{});
    EXPECT_EQ(at.wires.asked[0], 0);
    at.wires.is_ready = 0b01;
    EXPECT_EQ(at.once(), Words{"1: a"});
}

TEST(Poll, WhoIsNotWritableIsSentNothing) {
    Settings settings = test::lossless_settings();
    settings.fabric.quantum = 512_B;  // so that most of the burst stays
    Polled at(settings);
    at.wires.put(0, std::string(64, 'a'), test::to(1));
    at.wires.is_writable = 0;
    EXPECT_EQ(at.once(1), Words{});
    at.wires.is_writable = 0b01;
    EXPECT_EQ(at.once(1), Words{"pause 0"});
}

TEST(Poll, AfterTheLastReceiveItOnlySends) {
    Polled at(settings_of(2));
    at.wires.put(0, "ab", {.to = station(1)});
    at.wires.room = 0;
    at.once();
    at.wires.put(0, "c", {.to = station(1)});
    at.poll.stop_receiving();
    at.wires.room = max_burst;
    EXPECT_EQ(at.once(), Words{"1: ab"});
    EXPECT_EQ(at.once(), Words{});
}

}  // namespace
}  // namespace sluice
