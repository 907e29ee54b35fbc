#include "control/dcbx/symmetric.h"

#include <gtest/gtest.h>

#include "control/dcbx/compatible.h"

namespace sluice::dcbx {
namespace {

using enum EqualWilling;
using Machine = Symmetric<PrioritySet>;
using enum Machine::State;

constexpr PrioritySet ours = 0x08;
constexpr PrioritySet theirs = 0x18;
constexpr Peer before_us{.speaks = true, .precedes_us = true};
constexpr Peer behind_us{.speaks = true, .precedes_us = false};

Machine machine(EqualWilling rule, bool local_willing) {
    Machine machine(rule, compatible_pfc);
    machine.set_local(ours, local_willing);
    return machine;
}
Offered<PrioritySet> says(PrioritySet parameter, bool willing) {
    return {.parameter = parameter, .willing = willing};
}

TEST(Symmetric, StartsAsItIsSetTo) {
    for (const EqualWilling rule :
         {keep_local, lower_address_takes_peers, error_unless_compatible}) {
        const Machine fresh = machine(rule, true);
        EXPECT_EQ(fresh.state(), init);
        EXPECT_EQ(fresh.oper_param(), ours);
        EXPECT_FALSE(fresh.remote_param());
        EXPECT_FALSE(fresh.remote_willing());
        EXPECT_TRUE(fresh.pending());
        EXPECT_FALSE(fresh.mismatch());
    }
}

TEST(Symmetric, TheWillingOneTakesWhatTheOtherSaysWhateverTheRule) {
    for (const EqualWilling rule :
         {keep_local, lower_address_takes_peers, error_unless_compatible}) {
        Machine willing = machine(rule, true);
        willing.receive(says(theirs, false), behind_us);
        EXPECT_EQ(willing.state(), rx_recommended);
        EXPECT_EQ(willing.oper_param(), theirs);
        EXPECT_FALSE(willing.pending());
        EXPECT_FALSE(willing.mismatch());

        Machine not_willing = machine(rule, false);
        not_willing.receive(says(theirs, true), before_us);
        EXPECT_EQ(not_willing.state(), init);
        EXPECT_EQ(not_willing.oper_param(), ours);
        EXPECT_FALSE(not_willing.mismatch()) << "the peer is to follow";
        EXPECT_TRUE(not_willing.pending()) << "and has not yet";
        not_willing.receive(says(ours, true), before_us);
        EXPECT_FALSE(not_willing.pending());
    }
}

TEST(Symmetric, WhatIsTakenFollowsThePeer) {
    Machine willing = machine(keep_local, true);
    willing.receive(says(theirs, false), {});
    willing.receive(says(0x01, false), {});
    EXPECT_EQ(willing.oper_param(), 0x01);
}

TEST(Symmetric, GoesBackWhenThePeerNoLongerSaysIt) {
    Machine willing = machine(lower_address_takes_peers, true);
    willing.receive(says(theirs, false), before_us);
    willing.receive(std::nullopt, {});
    EXPECT_EQ(willing.state(), init);
    EXPECT_EQ(willing.oper_param(), ours);
    EXPECT_TRUE(willing.pending());
}

TEST(Symmetric, GoesBackWhenEitherEndsWillingnessChanges) {
    Machine one = machine(keep_local, true);
    one.receive(says(theirs, false), {});
    one.set_local(ours, false);
    EXPECT_EQ(one.state(), init);
    one.set_local(ours, true);
    EXPECT_EQ(one.state(), rx_recommended);
    one.receive(says(theirs, true), {});
    EXPECT_EQ(one.state(), init);
}

TEST(Symmetric, OfTwoWillingEachKeepsItsOwnIn0409) {
    for (const Peer peer : {before_us, behind_us}) {
        Machine both = machine(keep_local, true);
        both.receive(says(theirs, true), peer);
        EXPECT_EQ(both.state(), init);
        EXPECT_EQ(both.oper_param(), ours);
        EXPECT_TRUE(both.mismatch()) << "nobody is going to follow";
    }
}

TEST(Symmetric, OfTwoWillingTheLowerAddressTakesThePeersInIeee) {
    Machine lower = machine(lower_address_takes_peers, true);
    lower.receive(says(theirs, true), before_us);
    EXPECT_EQ(lower.state(), rx_recommended);
    EXPECT_EQ(lower.oper_param(), theirs);

    Machine higher = machine(lower_address_takes_peers, true);
    higher.receive(says(theirs, true), behind_us);
    EXPECT_EQ(higher.state(), init);
    EXPECT_EQ(higher.oper_param(), ours);
    EXPECT_FALSE(higher.mismatch()) << "the peer is to follow";
}

TEST(Symmetric, TheTieIsBrokenByNumber) {
    EXPECT_TRUE(takes_peers({0x020000000001}, {0x020000000002}));
    EXPECT_FALSE(takes_peers({0x020000000002}, {0x020000000001}));
    EXPECT_FALSE(takes_peers({0x020000000001}, {0x020000000001})) << "a loop: nobody follows";
}

TEST(Symmetric, WhatIsRefusedOfAPeerThatIsNotWillingIsSaidNotToBeWantedEither) {
    for (const EqualWilling rule : {keep_local, lower_address_takes_peers}) {
        Machine one = machine(rule, true);
        one.receive(says(theirs, false), before_us);
        one.refuse(true);
        EXPECT_EQ(one.state(), init);
        EXPECT_EQ(one.oper_param(), ours);
        EXPECT_FALSE(one.local_willing());
        EXPECT_TRUE(one.mismatch());
        EXPECT_EQ(one.asked(), theirs);
        one.refuse(false);
        EXPECT_EQ(one.state(), rx_recommended);
        EXPECT_TRUE(one.local_willing());
    }
}

// Otherwise the peer would adopt our parameters, and would send these in place of its own wish.
TEST(Symmetric, WhatIsRefusedOfAWillingPeerIsStillWantedSoThatThePeerKeepsSayingIt) {
    Machine lower = machine(lower_address_takes_peers, true);
    lower.receive(says(theirs, true), before_us);
    lower.refuse(true);
    EXPECT_EQ(lower.oper_param(), ours);
    EXPECT_TRUE(lower.local_willing());
    EXPECT_TRUE(lower.mismatch());
    EXPECT_EQ(lower.asked(), theirs);
    lower.receive(says(0x10, true), before_us);
    EXPECT_EQ(lower.asked(), 0x10);
    lower.receive(says(theirs, true), behind_us);
    EXPECT_FALSE(lower.asked()) << "it is the peer that follows";
}

TEST(Symmetric, NothingIsAskedOfAPortThatFollowsNobody) {
    Machine one = machine(keep_local, false);
    one.receive(says(theirs, false), before_us);
    EXPECT_FALSE(one.asked());
    one.set_local(ours, true);
    EXPECT_EQ(one.asked(), theirs);
    one.receive(says(theirs, true), before_us);
    EXPECT_FALSE(one.asked());
    one.receive(std::nullopt, before_us);
    EXPECT_FALSE(one.asked());
}

TEST(Symmetric, TwoThatAreNotWillingKeepTheirOwnAndSayThatTheyDiffer) {
    for (const EqualWilling rule : {keep_local, lower_address_takes_peers}) {
        Machine neither = machine(rule, false);
        neither.receive(says(theirs, false), before_us);
        EXPECT_EQ(neither.state(), init);
        EXPECT_EQ(neither.oper_param(), ours);
        EXPECT_TRUE(neither.mismatch());
        neither.receive(says(ours, false), before_us);
        EXPECT_FALSE(neither.mismatch());
    }
}

TEST(Symmetric, CeeIsInErrorWhereTwoEquallyWillingDoNotFit) {
    for (const bool willing : {false, true}) {
        Machine equal = machine(error_unless_compatible, willing);
        equal.receive(says(theirs, willing), behind_us);
        EXPECT_EQ(equal.state(), error);
        EXPECT_EQ(equal.oper_param(), ours);
        EXPECT_TRUE(equal.mismatch());
        equal.receive(says(ours, willing), behind_us);
        EXPECT_EQ(equal.state(), init);
        EXPECT_FALSE(equal.mismatch());
    }
}

TEST(Symmetric, CeeIsInErrorWhereThePeerSpeaksWithoutTheFeature) {
    Machine one = machine(error_unless_compatible, true);
    one.receive(std::nullopt, {.speaks = true});
    EXPECT_EQ(one.state(), error);
    EXPECT_EQ(one.oper_param(), ours);
    one.receive(says(theirs, false), behind_us);
    EXPECT_EQ(one.state(), rx_recommended) << "and out of it";
    one.receive(std::nullopt, {.speaks = true});
    one.receive(std::nullopt, {});
    EXPECT_EQ(one.state(), init) << "there is nobody any more";
}

TEST(Symmetric, CeeGoesOnToRefuseAPeerThatIsInErrorForItAndFollowsOnceThatIsOver) {
    Offered<PrioritySet> in_error = says(theirs, false);
    in_error.error = true;
    Machine one = machine(error_unless_compatible, true);
    one.receive(in_error, behind_us);
    EXPECT_FALSE(one.asked()) << "nothing was refused";
    one.receive(says(theirs, false), behind_us);
    one.refuse(true);
    one.receive(in_error, behind_us);
    EXPECT_EQ(one.asked(), theirs);
    EXPECT_FALSE(one.local_willing());
    EXPECT_EQ(one.state(), error);
    EXPECT_EQ(one.oper_param(), ours);
    one.refuse(false);
    EXPECT_TRUE(one.local_willing());
    EXPECT_EQ(one.state(), init) << "the peer has not heard of it";
    one.receive(says(theirs, false), behind_us);
    EXPECT_EQ(one.state(), rx_recommended);
}

TEST(Symmetric, OthersAreNotInErrorForWantOfATlv) {
    for (const EqualWilling rule : {keep_local, lower_address_takes_peers}) {
        Machine one = machine(rule, false);
        one.receive(std::nullopt, {.speaks = true});
        EXPECT_EQ(one.state(), init);
        EXPECT_FALSE(one.mismatch());
    }
}

}  // namespace
}  // namespace sluice::dcbx
