#include "control/dcbx/asymmetric.h"

#include <gtest/gtest.h>

#include "control/dcbx/compatible.h"

namespace sluice::dcbx {
namespace {

using Machine = Asymmetric<Ets>;
using enum Machine::State;

const Ets ours{.bandwidth = {100}, .selection = {Selection::ets}};
const Ets theirs{.class_of = {0, 1, 1, 1, 1, 1, 1, 1},
                 .bandwidth = {30, 70},
                 .selection = {Selection::ets, Selection::ets}};
const Offered<Ets> they_say{.parameter = theirs, .willing = false};

Machine machine(bool local_willing) {
    Machine machine(compatible_ets);
    machine.set_local(ours, local_willing, true);
    return machine;
}

TEST(Asymmetric, StartsAsItIsSetTo) {
    const Machine fresh = machine(true);
    EXPECT_EQ(fresh.state(), init);
    EXPECT_EQ(fresh.oper_param(), ours);
    EXPECT_FALSE(fresh.rv());
    EXPECT_TRUE(fresh.pending());
    EXPECT_FALSE(fresh.mismatch());
}

TEST(Asymmetric, TakesAValidRecommendationIfItIsWilling) {
    Machine willing = machine(true);
    willing.receive(they_say, true, theirs);
    EXPECT_EQ(willing.state(), rx_recommended);
    EXPECT_EQ(willing.oper_param(), theirs);
    EXPECT_FALSE(willing.pending());

    Machine not_willing = machine(false);
    not_willing.receive(they_say, true, theirs);
    EXPECT_EQ(not_willing.state(), init);
    EXPECT_EQ(not_willing.oper_param(), ours);
}

TEST(Asymmetric, TakesNoneThatIsNotValidOrNotThere) {
    Machine willing = machine(true);
    willing.receive(they_say, false, theirs);
    EXPECT_EQ(willing.state(), init);
    EXPECT_TRUE(willing.pending()) << "one is announced";
    willing.receive(they_say, std::nullopt, theirs);
    EXPECT_EQ(willing.state(), init);
    EXPECT_FALSE(willing.pending());
}

TEST(Asymmetric, ThePeersWillingnessDecidesNothing) {
    Machine willing = machine(true);
    willing.receive(Offered<Ets>{.parameter = theirs, .willing = true}, true, theirs);
    EXPECT_EQ(willing.state(), rx_recommended);
}

TEST(Asymmetric, GoesBackWhenAnyOfItEnds) {
    const auto taken = [] {
        Machine willing = machine(true);
        willing.receive(they_say, true, theirs);
        return willing;
    };
    Machine gone = taken();
    gone.receive(std::nullopt, std::nullopt, {});
    EXPECT_EQ(gone.state(), init);
    EXPECT_EQ(gone.oper_param(), ours);
    Machine withdrawn = taken();
    withdrawn.receive(they_say, false, {});
    EXPECT_EQ(withdrawn.state(), init);
    Machine unwilling = taken();
    unwilling.set_local(ours, false, true);
    EXPECT_EQ(unwilling.state(), init);
    unwilling.set_local(ours, true, true);
    EXPECT_EQ(unwilling.state(), rx_recommended);
}

TEST(Asymmetric, EndsThatDifferAreAMismatchUnlessThePeerIsToFollow) {
    Machine one = machine(false);
    one.receive(they_say, std::nullopt, {});
    EXPECT_TRUE(one.mismatch());
    one.receive(Offered<Ets>{.parameter = theirs, .willing = true}, std::nullopt, {});
    EXPECT_FALSE(one.mismatch());
    one.set_local(ours, false, false);
    EXPECT_TRUE(one.mismatch()) << "whom nobody recommends anything cannot follow";
    one.receive(Offered<Ets>{.parameter = ours}, std::nullopt, {});
    EXPECT_FALSE(one.mismatch());
}

TEST(Asymmetric, WhatWasTakenFitsThoughThePeerHasSomethingElseItself) {
    Machine one = machine(true);
    one.receive(they_say, true, ours);
    EXPECT_EQ(one.oper_param(), ours);
    EXPECT_FALSE(one.mismatch());
    one.receive(they_say, false, ours);
    EXPECT_TRUE(one.mismatch()) << "its recommendation is not valid any more";
}

}  // namespace
}  // namespace sluice::dcbx
