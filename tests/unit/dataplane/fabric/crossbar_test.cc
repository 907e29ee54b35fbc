#include "dataplane/fabric/crossbar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace sluice {
namespace {

FabricSettings fabric(CrossbarRule rule = CrossbarRule::strict, uint8_t iterations = 1) {
    FabricSettings settings;
    settings.rule = rule;
    settings.iterations = iterations;
    return settings;
}

// Returns the grant of an input as "output@priority", or "-".
std::string grant(Crossbar& crossbar, PortIndex input, WorkerIndex worker = 0) {
    if (crossbar.shard(worker).granted(only(input)) == 0) return "-";
    const Grant grant = crossbar.grant_of(input);
    return std::to_string(grant.output) + "@" + std::to_string(grant.priority);
}

Frame numbered(VlanId number) {
    Frame frame;
    frame.vlan = number;
    return frame;
}

TEST(Crossbar, WithoutARequestThereIsNoSlot) {
    Crossbar crossbar(fabric(), 4, 1);
    EXPECT_EQ(crossbar.match(), 0U);
    EXPECT_EQ(crossbar.slots(), 0U);
    EXPECT_TRUE(crossbar.idle());
}

TEST(Crossbar, ARequestIsGrantedOnceUntilItWasCarriedOut) {
    Crossbar crossbar(fabric(), 4, 1);
    crossbar.shard(0).request(2, 3, 5);
    EXPECT_EQ(crossbar.match(), 1U);
    EXPECT_EQ(grant(crossbar, 2), "3@5");
    EXPECT_EQ(grant(crossbar, 0), "-");
    EXPECT_EQ(crossbar.match(), 0U);  // input and output are both busy

    crossbar.shard(0).executed(only(2), 7);
    EXPECT_EQ(grant(crossbar, 2), "-");
    EXPECT_EQ(crossbar.match(), 0U);  // the output still is

    crossbar.shard(0).absorbed(only(3));
    EXPECT_EQ(crossbar.match(), 1U);
    EXPECT_EQ(crossbar.frames(), 7U);
}

TEST(Crossbar, ASlowInputHoldsUpNobodyElse) {
    Crossbar crossbar(fabric(), 4, 1);
    crossbar.shard(0).request(0, 1, 0);
    crossbar.shard(0).request(2, 3, 0);
    EXPECT_EQ(crossbar.match(), 2U);
    crossbar.shard(0).executed(only(2), 1);
    crossbar.shard(0).absorbed(only(3));
    EXPECT_EQ(crossbar.match(), 1U);
    EXPECT_EQ(grant(crossbar, 0), "1@0");  // the first grant, not carried out yet
    EXPECT_EQ(grant(crossbar, 2), "3@0");
}

TEST(Crossbar, AnOutputIsGivenOnlyWhatItHasRoomFor) {
    Crossbar crossbar(fabric(), 4, 1);
    crossbar.shard(0).request(0, 1, 7);
    crossbar.shard(0).request(2, 1, 3);
    crossbar.shard(0).offer(1, {.grant = 0b0000'1000, .handoff = 0});
    EXPECT_EQ(crossbar.match(), 1U);
    EXPECT_EQ(grant(crossbar, 2), "1@3");
    EXPECT_EQ(grant(crossbar, 0), "-");
}

TEST(Crossbar, AWithdrawnRequestIsNotGranted) {
    Crossbar crossbar(fabric(), 4, 1);
    crossbar.shard(0).request(0, 1, 7);
    crossbar.shard(0).request(0, 1, 7);  // asking twice is asking once
    crossbar.shard(0).withdraw(0, 1, 7);
    EXPECT_EQ(crossbar.match(), 0U);
    EXPECT_TRUE(crossbar.idle());
}

TEST(Crossbar, IsIdleOnceNothingIsAskedForOrUnderWay) {
    Crossbar crossbar(fabric(), 4, 2);
    crossbar.shard(1).request(2, 0, 0);
    EXPECT_FALSE(crossbar.idle());
    crossbar.match();
    crossbar.shard(1).withdraw(2, 0, 0);
    EXPECT_FALSE(crossbar.idle());  // a grant is under way
    EXPECT_EQ(grant(crossbar, 2, 1), "0@0");
    crossbar.shard(0).filled(0, 1);
    crossbar.shard(1).post(only(0));
    crossbar.shard(1).executed(only(2), 1);
    EXPECT_FALSE(crossbar.idle());  // a frame is in the transfer buffer
    ASSERT_EQ(crossbar.shard(0).posted(first_ports(2)), only(0));
    crossbar.shard(0).collected(only(0));
    EXPECT_TRUE(crossbar.idle());
}

TEST(Crossbar, MailboxesCarryFramesInOrder) {
    Crossbar crossbar(fabric(), 4, 2);
    const PortSet of_worker_1 = only(1) | only(3);
    EXPECT_EQ(crossbar.shard(1).posted(of_worker_1), 0U);
    crossbar.shard(0).request(0, 1, 0);
    for (VlanId round = 0; round < 3; ++round) {
        ASSERT_EQ(crossbar.match(), 1U);
        const auto box = crossbar.shard(0).transfer_buffer(1);
        for (VlanId n = 0; n < 64; ++n) box[n] = numbered(static_cast<VlanId>(100 * round + n));
        crossbar.shard(0).filled(1, 64);
        EXPECT_EQ(crossbar.shard(1).posted(of_worker_1), 0U);
        crossbar.shard(0).post(only(1));
        crossbar.shard(0).executed(only(0), 64);
        ASSERT_EQ(crossbar.shard(1).posted(of_worker_1), only(1));
        const auto frames = crossbar.shard(0).posted_to(1);
        ASSERT_EQ(frames.size(), 64U);
        for (VlanId n = 0; n < 64; ++n) EXPECT_EQ(frames[n].vlan, 100 * round + n);
        crossbar.shard(1).collected(only(1));
        EXPECT_EQ(crossbar.shard(1).posted(of_worker_1), 0U);
    }
}

// Two workers fill one output after the other: no single worker knows that its transfer buffer is
// full.
TEST(Crossbar, TransferBuffersAreFilledByAllWorkersInTurn) {
    Crossbar crossbar(fabric(), 4, 3);
    for (int round = 0; round < 4; ++round) {
        const auto worker = static_cast<WorkerIndex>(round % 2);
        crossbar.shard(worker).request(worker, 2, 0);
        ASSERT_EQ(crossbar.match(), 1U);
        crossbar.shard(worker).withdraw(worker, 2, 0);
        crossbar.shard(0).filled(2, 0);  // an empty transfer is collected too
        crossbar.shard(worker).post(only(2));
        crossbar.shard(worker).executed(only(worker), 0);
        ASSERT_EQ(crossbar.shard(2).posted(only(2)), only(2));
        EXPECT_TRUE(crossbar.shard(0).posted_to(2).empty());
        crossbar.shard(2).collected(only(2));
        EXPECT_TRUE(crossbar.idle());
    }
}

TEST(Crossbar, WorkersRequestsCountAsOne) {
    Crossbar crossbar(fabric(CrossbarRule::strict, 4), 4, 3);
    crossbar.shard(0).request(0, 1, 0);
    crossbar.shard(1).request(2, 3, 0);
    crossbar.shard(2).request(3, 2, 0);
    EXPECT_EQ(crossbar.match(), 3U);
    EXPECT_EQ(grant(crossbar, 0), "1@0");
    EXPECT_EQ(grant(crossbar, 2), "3@0");
    EXPECT_EQ(grant(crossbar, 3), "2@0");
}

TEST(Crossbar, CountsSlotsByTheirPairs) {
    Crossbar crossbar(fabric(), 4, 1);
    crossbar.shard(0).request(0, 1, 0);
    crossbar.shard(0).request(2, 3, 0);
    crossbar.match();
    crossbar.match();  // both busy
    EXPECT_EQ(crossbar.slots(), 2U);
    EXPECT_EQ(crossbar.pairs(), 2U);
    EXPECT_EQ(crossbar.slots_with(2), 1U);
    EXPECT_EQ(crossbar.slots_with(0), 1U);
}

// Returns how often each of the eight priorities of one VOQ pair is granted.
std::map<Priority, int> shares(const FabricSettings& settings, int slots,
                               PrioritySet asking = 0xFF) {
    Crossbar crossbar(settings, 2, 1);
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if ((asking & only_priority(priority)) != 0) crossbar.shard(0).request(0, 1, priority);
    }
    std::map<Priority, int> granted;
    for (int slot = 0; slot < slots; ++slot) {
        if (crossbar.match() != 1) return {};
        ++granted[crossbar.grant_of(0).priority];
        crossbar.shard(0).executed(only(0), 1);
        crossbar.shard(0).absorbed(only(1));
    }
    return granted;
}

TEST(Crossbar, TheStrictRuleServesTheHighest) {
    EXPECT_EQ(shares(fabric(), 100), (std::map<Priority, int>{{7, 100}}));
    EXPECT_EQ(shares(fabric(), 100, 0x0F), (std::map<Priority, int>{{3, 100}}));
}

TEST(Crossbar, TheWeightedRuleSharesByWeight) {
    FabricSettings settings = fabric(CrossbarRule::weighted);
    settings.weight = {1, 1, 2, 2, 4, 4, 8, 8};
    EXPECT_EQ(shares(settings, 300),
              (std::map<Priority, int>{
                  {0, 10}, {1, 10}, {2, 20}, {3, 20}, {4, 40}, {5, 40}, {6, 80}, {7, 80}}));
}

TEST(Crossbar, TheWeightedRuleSpreadsTurnsEvenly) {
    FabricSettings settings = fabric(CrossbarRule::weighted);
    settings.weight = {1, 1, 1, 1, 1, 1, 1, 9};
    Crossbar crossbar(settings, 2, 1);
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        crossbar.shard(0).request(0, 1, priority);
    }
    std::string schedule;
    for (int slot = 0; slot < 64; ++slot) {
        crossbar.match();
        schedule += static_cast<char>('0' + crossbar.grant_of(0).priority);
        crossbar.shard(0).executed(only(0), 1);
        crossbar.shard(0).absorbed(only(1));
    }
    EXPECT_EQ(schedule.find("7777"), std::string::npos) << schedule;
    EXPECT_EQ(std::ranges::count(schedule, '7'), 36);
}

// The turn of a priority that asks for nothing is not wasted: the highest that asks has it.
TEST(Crossbar, AWeightedTurnThatNobodyWantsGoesToTheHighest) {
    FabricSettings settings = fabric(CrossbarRule::weighted);
    settings.weight = {4, 1, 1, 1, 1, 1, 1, 2};
    EXPECT_EQ(shares(settings, 120, 0b1000'0001), (std::map<Priority, int>{{0, 40}, {7, 80}}));
}

TEST(Crossbar, LargestWeightsFitTheRotation) {
    FabricSettings settings = fabric(CrossbarRule::weighted);
    settings.weight.fill(15);
    const auto granted = shares(settings, 1200);
    ASSERT_EQ(granted.size(), 8U);
    for (const auto& [priority, count] : granted) EXPECT_EQ(count, 150) << int{priority};
}

TEST(Crossbar, TheRuleMayChangeWhileItRuns) {
    Crossbar crossbar(fabric(), 2, 1);
    crossbar.shard(0).request(0, 1, 0);
    crossbar.shard(0).request(0, 1, 7);
    const auto turns = [&](int count) {
        std::string schedule;
        for (int slot = 0; slot < count; ++slot) {
            crossbar.match();
            schedule += static_cast<char>('0' + crossbar.grant_of(0).priority);
            crossbar.shard(0).executed(only(0), 1);
            crossbar.shard(0).absorbed(only(1));
        }
        return schedule;
    };
    EXPECT_EQ(turns(4), "7777");
    FabricSettings weighted = fabric(CrossbarRule::weighted);
    weighted.weight.fill(15);
    crossbar.configure(weighted);
    EXPECT_GT(std::ranges::count(turns(120), '0'), 0);
    weighted.weight.fill(1);  // a shorter rotation than where the last one stood
    crossbar.configure(weighted);
    EXPECT_EQ(std::ranges::count(turns(80), '0'), 10);
    crossbar.configure(fabric());
    EXPECT_EQ(turns(4), "7777");
}

// Grants that one worker gets and carries out change nothing for the ports of another.
TEST(Crossbar, EachWorkerCarriesOutItsOwnGrants) {
    Crossbar crossbar(fabric(CrossbarRule::strict, 4), 4, 2);
    crossbar.shard(0).request(0, 1, 0);
    crossbar.shard(1).request(3, 2, 0);
    ASSERT_EQ(crossbar.match(), 2U);
    EXPECT_EQ(crossbar.shard(0).granted(0b0011), only(0));
    EXPECT_EQ(crossbar.shard(1).granted(0b1100), only(3));
    crossbar.shard(0).executed(only(0), 1);
    crossbar.shard(0).absorbed(only(1));
    for (int slot = 0; slot < 5; ++slot) {
        ASSERT_EQ(crossbar.match(), 1U);
        EXPECT_EQ(grant(crossbar, 0), "1@0");
        EXPECT_EQ(crossbar.shard(1).granted(0b1100), only(3));
        crossbar.shard(0).executed(only(0), 1);
        crossbar.shard(0).absorbed(only(1));
    }
    EXPECT_EQ(crossbar.match(), 1U);
    crossbar.shard(1).executed(only(3), 1);
    crossbar.shard(1).absorbed(only(2));
    EXPECT_EQ(crossbar.shard(1).granted(0b1100), 0U);
    EXPECT_EQ(crossbar.match(), 1U);
    EXPECT_EQ(grant(crossbar, 3, 1), "2@0");
}

TEST(Crossbar, RoomIsWhatTheOutputsOwnWorkerOffers) {
    Crossbar crossbar(fabric(), 4, 3);
    crossbar.shard(0).request(0, 1, 5);
    crossbar.shard(2).offer(1, {.grant = 0, .handoff = 0xFF});
    EXPECT_EQ(crossbar.match(), 0U);
    crossbar.shard(2).offer(1, {.grant = 0b0010'0000, .handoff = 0});
    EXPECT_EQ(crossbar.match(), 1U);
}

// A priority without requests is not granted because of requests for other priorities.
TEST(Crossbar, AnOutputRemembersWhichPrioritiesAreAskedFor) {
    Crossbar crossbar(fabric(), 4, 1);
    crossbar.shard(0).request(0, 1, 7);
    crossbar.shard(0).request(2, 1, 7);
    crossbar.shard(0).request(2, 1, 1);
    crossbar.shard(0).withdraw(0, 1, 7);
    crossbar.shard(0).withdraw(2, 1, 7);
    EXPECT_EQ(crossbar.match(), 1U);
    EXPECT_EQ(grant(crossbar, 2), "1@1");
    crossbar.shard(0).executed(only(2), 1);
    crossbar.shard(0).absorbed(only(1));
    crossbar.shard(0).request(0, 1, 7);
    EXPECT_EQ(crossbar.match(), 1U);
    EXPECT_EQ(grant(crossbar, 0), "1@7");
}

}  // namespace
}  // namespace sluice
