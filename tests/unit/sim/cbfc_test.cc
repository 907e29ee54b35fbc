#include "tools/sim/retry/cbfc.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace sluice::sim {
namespace {

// Cells that go to VC 0 at once, until there is no credit left.
uint32_t send_all(CbfcSender& sender) {
    uint32_t sent = 0;
    for (; sender.may_send(0); ++sent) sender.send(0);
    return sent;
}

// Slots of CF_Updates within so many.
std::vector<uint64_t> cf_slots(CbfcReceiver& receiver, uint64_t slots) {
    std::vector<uint64_t> said;
    for (uint64_t slot = 0; slot < slots; ++slot) {
        if (receiver.cf_update(slot)) said.push_back(slot);
    }
    return said;
}

TEST(Cbfc, CountsWholeCreditsOfAFrameAndItsOverhead) {
    EXPECT_EQ(cbfc_credits(256, 0, 256), 1U);
    EXPECT_EQ(cbfc_credits(256, 1, 256), 2U);
    EXPECT_EQ(cbfc_credits(256, 64, 64), 5U);
    EXPECT_EQ(cbfc_credits(1, 0, 256), 1U);
    const CbfcSettings usual;
    EXPECT_EQ(usual.need(), 1U);
    EXPECT_EQ(usual.cf_min_spacing, 25U);
    EXPECT_EQ(usual.cf_max_spacing, 1024U);
}

TEST(Cbfc, SendsWhatTheShareOfAVcHolds) {
    CbfcSender sender({.vcs = 2}, 3);
    EXPECT_EQ(send_all(sender), 3U);
    EXPECT_TRUE(sender.may_send(1)) << "has a share of its own";
    sender.hear_cf_update({0, 2});
    EXPECT_EQ(send_all(sender), 2U);
    EXPECT_EQ(sender.in_use(0), 3U);
}

TEST(Cbfc, CountersGoRoundAt20Bits) {
    const CbfcSettings settings{.first_count = cbfc_counts - 2};
    CbfcSender sender(settings, 5);
    CbfcReceiver receiver(settings, 5);
    EXPECT_EQ(send_all(sender), 5U);
    for (int n = 0; n < 4; ++n) EXPECT_TRUE(receiver.arrived(0));
    receiver.left(4);
    const auto freed = receiver.cf_update(settings.cf_min_spacing);
    EXPECT_EQ(freed, (CbfcUpdate{0, 2}));
    sender.hear_cf_update(*freed);
    EXPECT_EQ(sender.in_use(0), 1U);
    // The fifth was lost.
    const auto consumed = sender.cc_update(settings.cc_timer);
    EXPECT_EQ(consumed, (CbfcUpdate{0, 3}));
    receiver.hear_cc_update(*consumed);
    EXPECT_EQ(receiver.recovered(), 1);
    sender.hear_cf_update(*receiver.cf_update(settings.cf_min_spacing * 2));
    EXPECT_EQ(sender.in_use(0), 0U);
}

TEST(Cbfc, KeepsTheSpacingsOfCfUpdates) {
    for (const unsigned vcs : {1U, 32U}) {
        CbfcReceiver busy({.vcs = vcs}, 100'000);
        std::vector<uint64_t> said;
        std::vector<uint64_t> said_of_vc(vcs, 0);
        uint64_t left = 0;
        for (uint64_t slot = 0; slot < 50'000; ++slot) {
            EXPECT_TRUE(busy.arrived(static_cast<unsigned>(slot % vcs)));
            busy.left(++left);
            const auto update = busy.cf_update(slot);
            if (!update) continue;
            said.push_back(slot);
            EXPECT_LE(slot - said_of_vc[update->vc], 25U * vcs) << "VCs take turns";
            said_of_vc[update->vc] = slot;
        }
        EXPECT_EQ(said.size(), 1999U);
        CbfcReceiver idle({.vcs = vcs}, 10);
        const std::vector<uint64_t> repeated = cf_slots(idle, 50'000);
        ASSERT_FALSE(repeated.empty());
        EXPECT_LE(repeated.front(), 1024U);
        for (const auto& slots : {said, repeated}) {
            for (std::size_t n = 1; n < slots.size(); ++n) {
                EXPECT_GE(slots[n] - slots[n - 1], 25U);
                EXPECT_LE(slots[n] - slots[n - 1], 1024U);
            }
        }
    }
}

TEST(Cbfc, RepeatsACfUpdateThatWasLost) {
    CbfcSender sender({}, 4);
    CbfcReceiver receiver({}, 4);
    EXPECT_EQ(send_all(sender), 4U);
    for (int n = 0; n < 4; ++n) EXPECT_TRUE(receiver.arrived(0));
    receiver.left(4);
    ASSERT_TRUE(receiver.cf_update(25)) << "and is lost";
    EXPECT_FALSE(sender.may_send(0));
    EXPECT_FALSE(receiver.cf_update(25 + 1023));
    const auto repeated = receiver.cf_update(25 + 1024);
    ASSERT_TRUE(repeated);
    sender.hear_cf_update(*repeated);
    EXPECT_EQ(sender.in_use(0), 0U);
}

TEST(Cbfc, SendsCcUpdatesInTheTurnOfVcs) {
    CbfcSender sender({.vcs = 4}, 10);
    std::vector<uint64_t> of_vc_1;
    for (uint64_t slot = 0; slot <= 50'000; ++slot) {
        const auto update = sender.cc_update(slot);
        if (update && update->vc == 1) of_vc_1.push_back(slot);
    }
    EXPECT_EQ(of_vc_1, (std::vector<uint64_t>{6'250, 18'750, 31'250, 43'750}));
    CbfcSender silent({.cc_timer = 0}, 10);
    EXPECT_FALSE(silent.cc_update(1'000'000));
}

// A cell that came twice frees its credit twice, until CC_Update takes it back.
TEST(Cbfc, TakesBackWhatWasFreedTwice) {
    CbfcSender sender({}, 4);
    CbfcReceiver receiver({}, 4);
    sender.send(0);
    EXPECT_TRUE(receiver.arrived(0) && receiver.arrived(0));
    receiver.left(2);
    receiver.hear_cc_update(*sender.cc_update(12'500));
    EXPECT_EQ(receiver.recovered(), -1);
    sender.hear_cf_update(*receiver.cf_update(12'500));
    EXPECT_EQ(sender.in_use(0), 0U);
}

TEST(Cbfc, FreesTheCreditOfWhatFindsNoRoom) {
    CbfcReceiver receiver({}, 2);
    EXPECT_TRUE(receiver.arrived(0) && receiver.arrived(0));
    EXPECT_FALSE(receiver.arrived(0));
    EXPECT_EQ(receiver.cf_update(25), (CbfcUpdate{0, 1}));
}

}  // namespace
}  // namespace sluice::sim
