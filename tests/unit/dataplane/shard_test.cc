// What a worker has of the switch. First: which ports it has to ask for frames. That one which is
// left out has none is checked by the rig, so by every test that uses it; here, that ports are left
// out at all.
#include "dataplane/shard.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "tests/support/lossless.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using test::lossless_settings;
using test::Rig;
using test::station;
using test::without_bypass;

PortSet active(Rig& rig) { return rig.dataplane.shard(0).active(); }
// In steps, so that a pause frame that becomes due stays due.
void let_all_out(Rig& rig) {
    while (rig.slot() > 0) rig.transmit(1);
    rig.housekeep();
}

TEST(Active, NobodyOnceThereIsNothingToDo) {
    Rig rig(test::settings_of(4));
    rig.housekeep();
    EXPECT_EQ(active(rig), 0U);
}

TEST(Active, WhoReceivesAndWhoIsToSend) {
    Rig rig(without_bypass(test::settings_of(4)));  // so that one is so before the other
    rig.housekeep();
    rig.receive(0, "a", {.to = station(2)});
    EXPECT_EQ(active(rig), 0b0001U);
    rig.slot();
    EXPECT_EQ(active(rig), 0b0101U);
    rig.housekeep();
    EXPECT_EQ(active(rig), 0b0100U);
    rig.transmit(2);
    rig.housekeep();
    EXPECT_EQ(active(rig), 0U);
}

TEST(Active, AnOutputOnceItsWorkerCollectedWhatAnotherMovedToIt) {
    Rig rig(without_bypass(test::settings_of(2, 2)));  // by a grant
    rig.housekeep();
    rig.receive(0, "a", {.to = station(1)});
    ASSERT_EQ(rig.dataplane.shard(1).active(), 0U);
    ASSERT_EQ(rig.dataplane.shard(0).match(), 1U);
    rig.dataplane.shard(0).transfer();
    ASSERT_EQ(rig.dataplane.shard(1).active(), 0U);
    rig.dataplane.shard(1).transfer();
    EXPECT_EQ(rig.dataplane.shard(1).active(), 0b10U);
    rig.transmit(1);
    rig.housekeep();
    EXPECT_EQ(rig.dataplane.shard(1).active(), 0U);
    EXPECT_EQ(rig.sent(1), "a");
}

TEST(Active, WhoHoldsItsPeerUntilTheXonIsSent) {
    Rig rig(lossless_settings());
    rig.receive(0, std::string(32, 'a'), test::to(1));
    rig.housekeep();
    EXPECT_EQ(active(rig) & 0b01U, 0b01U);
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    let_all_out(rig);
    EXPECT_EQ(active(rig), 0b01U);  // the XON
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    rig.housekeep();
    EXPECT_EQ(active(rig), 0U);
}

TEST(AtRest, NotBeforeAPausedPeerResumes) {
    Rig rig(lossless_settings());
    const auto is_at_rest = [&] { return rig.dataplane.shard(0).is_at_rest(); };
    rig.housekeep();
    EXPECT_TRUE(is_at_rest());
    rig.receive(0, std::string(32, 'a'), test::to(1));
    rig.housekeep();
    EXPECT_FALSE(is_at_rest());
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    let_all_out(rig);
    EXPECT_TRUE(rig.dataplane.empty());
    EXPECT_FALSE(is_at_rest());  // the XON
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    rig.housekeep();
    EXPECT_TRUE(is_at_rest());
}

TEST(AtRest, ARoundOfAgeingIsGoneThroughInManyPolls) {
    Rig rig(test::settings_of(2));
    const auto is_to_age = [&] { return rig.dataplane.shard(0).is_to_age(rig.now); };
    int polls = 0;
    for (; is_to_age() && polls < 100'000; ++polls) rig.housekeep();
    EXPECT_GT(polls, 1);
    EXPECT_FALSE(is_to_age());
    rig.now = rig.now + Nanos(1'000'000'000);
    EXPECT_TRUE(is_to_age());
}

TEST(Active, EverybodyAfterNewSettings) {
    Rig rig(test::settings_of(4));
    rig.housekeep();
    rig.dataplane.shard(0).adopt(rig.settings);
    EXPECT_EQ(active(rig), 0b1111U);
}

TEST(Active, OutputsThatDecideWhomToPauseAlways) {
    Settings settings = lossless_settings();
    settings.ports[1].pfc.trigger = PauseTrigger::egress;
    Rig rig(settings);
    rig.housekeep();
    EXPECT_EQ(active(rig), first_ports(settings.ports.size()));
}

TEST(Shard, HasTheInputsAndPortsOfItsWorkerAlone) {
    Settings settings = test::settings_of(4, 2);
    settings.lanes.push_back({.port = 0, .worker = 1});
    Switch dataplane(settings);
    EXPECT_EQ(dataplane.shard(0).ports(), 0b00101U);
    EXPECT_EQ(dataplane.shard(0).inputs(), 0b00101U);
    EXPECT_EQ(dataplane.shard(1).ports(), 0b01010U);
    EXPECT_EQ(dataplane.shard(1).inputs(), 0b11010U);
    EXPECT_EQ(&dataplane.shard_of(4), &dataplane.shard(1));
    EXPECT_EQ(dataplane.port_of(4), 0);
}

TEST(Shard, ThatOfWorker0MatchesForAll) {
    Rig rig(without_bypass(test::settings_of(4, 2)));
    rig.receive(1, "a", {.to = station(3), .from = station(1)});
    EXPECT_EQ(rig.dataplane.shard(1).match(), 0U);
    EXPECT_EQ(rig.dataplane.shard(0).match(), 1U);
}

#ifndef NDEBUG
TEST(ShardDeathTest, ACallByAnotherThreadThanItsWorkersIsCaught) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Switch dataplane(test::settings_of(2));
    dataplane.shard(0).transfer();
    EXPECT_DEATH(std::thread([&] { dataplane.shard(0).transfer(); }).join(), "another thread");
    EXPECT_DEATH(std::thread([&] { dataplane.shard(0).publish(); }).join(), "another thread");
    dataplane.shard(0).hand_over();
    std::thread([&] { dataplane.shard(0).transfer(); }).join();
}

TEST(ShardDeathTest, ABurstLongerThanItTakesIsCaught) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Rig rig(test::settings_of(2));
    EXPECT_DEATH(rig.receive(0, std::string(max_burst + 1, 'x'), test::to(1)), "max_burst");
}

TEST(ReleasedDeathTest, ABufferTooManyIsCaught) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Released released;
    for (std::size_t n = 0; n < Released::capacity; ++n) {
        released.free(nullptr);
        released.share(nullptr, 1);
    }
    EXPECT_DEATH(released.free(nullptr), "capacity");
    EXPECT_DEATH(released.share(nullptr, 1), "capacity");
}
#endif

// --- a grant between workers ---------------------------------------------------------------------

TEST(Transfer, WhatAnInputLeavesOfAQuantumGoesToOthersOfItsWorker) {
    // 1, 3 and 5 are the second worker's.
    Rig rig(without_bypass(test::settings_of(6, 2)));
    for (PortIndex input = 1; input < 6; ++input) {
        const char name = static_cast<char>('0' + input);
        rig.receive(input, std::string(2, name), test::to(0, 3, input));
    }
    rig.receive(3, "x", test::to(0, 4, 3));
    EXPECT_EQ(rig.slot(), 1U);
    rig.collect();
    rig.transmit(0);
    EXPECT_EQ(rig.sent(0), "x");
    EXPECT_EQ(rig.slot(), 1U);
    rig.collect();
    rig.transmit(0);
    EXPECT_EQ(rig.sent(0).size(), 1U + 6U);
}

}  // namespace
}  // namespace sluice
