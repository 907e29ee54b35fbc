// The ladder diagrams of 0409v3, both ends.
#include <gtest/gtest.h>

#include "tests/support/dcbx_pair.h"
#include "tests/unit/control/dcbx/bridge.h"

namespace sluice::dcbx {
namespace {

using enum Selection;
using test::DcbxPair;

Local silent_bridge() {
    Local local = bridge();
    local.recommend = false;
    return local;
}
Local station() {
    return {
        .ets = {.class_of = bridge().ets.class_of, .bandwidth = {50, 50}, .selection = {ets, ets}},
        .willing = {.ets = true, .pfc = true, .application = true},
        .recommend = false};
}
DcbxPair link(const Local& one, const Local& two) {
    return {Mode::draft0409, one, Mode::draft0409, two};
}

TEST(Ladder, SymmetricPassingTakesATransferEachWay) {
    DcbxPair pair = link(silent_bridge(), station());
    EXPECT_FALSE(DcbxPair::row(pair.one, Feature::pfc).pending) << "there is nobody to answer";
    EXPECT_FALSE(DcbxPair::row(pair.two, Feature::pfc).pending);

    pair.transfer_to_two();
    EXPECT_EQ(pair.two.operational().pfc, 0x08);
    EXPECT_FALSE(DcbxPair::row(pair.two, Feature::pfc).pending);

    pair.transfer_to_one();
    EXPECT_FALSE(DcbxPair::row(pair.one, Feature::pfc).pending);
    EXPECT_EQ(pair.talk(), "") << "and that is all";
    EXPECT_EQ(pair.two.operational().application, silent_bridge().application);
}

TEST(Ladder, SymmetricPassingFromTheWillingEndTakesOneMore) {
    DcbxPair pair = link(silent_bridge(), station());
    pair.transfer_to_one();
    EXPECT_TRUE(DcbxPair::row(pair.one, Feature::pfc).pending) << "willing, and not there yet";
    EXPECT_EQ(pair.talk(), "><");
    EXPECT_FALSE(DcbxPair::row(pair.one, Feature::pfc).pending);
    EXPECT_EQ(pair.one.operational().pfc, pair.two.operational().pfc);
}

TEST(Ladder, AsymmetricPassingTakesTwoTransfersOneWayAndOneTheOther) {
    Local from = silent_bridge();
    from.recommend = true;
    DcbxPair pair = link(from, station());

    pair.transfer_to_two();
    EXPECT_EQ(pair.two.operational().ets, station().ets) << "announced, not valid: RV is FALSE";
    EXPECT_TRUE(DcbxPair::row(pair.two, Feature::ets).pending);
    pair.transfer_to_one();
    EXPECT_EQ(pair.two.operational().ets, station().ets);
    pair.transfer_to_two();
    EXPECT_EQ(pair.two.operational().ets.bandwidth, (PerClass{40, 60}));
    EXPECT_FALSE(DcbxPair::row(pair.two, Feature::ets).pending);
    EXPECT_EQ(pair.talk(), "<") << "it says what holds, and that is all";
}

TEST(Ladder, ARecommendationFitsThePeersGroups) {
    Local from = silent_bridge();
    from.recommend = true;
    Local to = station();
    to.ets.class_of = {1, 1, 1, 0, 1, 1, 1, 1};
    DcbxPair pair = link(from, to);
    pair.talk();
    EXPECT_EQ(pair.two.operational().ets.bandwidth, (PerClass{60, 40}));
}

TEST(Ladder, BothWillingKeepTheirOwn) {
    Local one = silent_bridge();
    one.willing = {.ets = true, .pfc = true};
    DcbxPair pair = link(one, station());
    EXPECT_EQ(pair.talk(), "><");
    EXPECT_EQ(pair.one.operational().pfc, 0x08);
    EXPECT_EQ(pair.two.operational().pfc, 0x00);
    EXPECT_TRUE(DcbxPair::row(pair.one, Feature::pfc).mismatch);
    EXPECT_TRUE(DcbxPair::row(pair.two, Feature::pfc).mismatch);
}

TEST(Ladder, DefencesGoOffOnceThePeerHasTheFeature) {
    Local one = silent_bridge();
    one.defend = true;
    DcbxPair pair = link(one, station());
    EXPECT_EQ(pair.one.operational().defence, 0x08) << "nobody said anything yet";
    EXPECT_EQ(pair.talk(), "><>") << "DefOn off is news too";
    EXPECT_EQ(pair.one.operational().defence, 0);
    EXPECT_EQ(pair.two.operational().defence, 0) << "has none";
}

TEST(Ladder, DefencesStayOnWhileThePeerDoesNotHaveTheFeature) {
    Local one = silent_bridge();
    one.defend = true;
    Local two = station();
    two.willing.pfc = false;
    DcbxPair pair = link(one, two);
    pair.talk();
    EXPECT_EQ(pair.one.operational().defence, 0x08);
}

TEST(Ladder, APortThatHoldsSendsOnceThePeersDefencesAreOff) {
    Local one = silent_bridge();
    one.hold = true;
    Local two = silent_bridge();
    two.defend = true;
    DcbxPair pair = link(one, two);
    EXPECT_EQ(pair.one.operational().held, 0x08) << "nobody said anything yet";
    pair.transfer_to_one();
    EXPECT_EQ(pair.one.operational().held, 0x08) << "DefOn is 1";
    pair.transfer_to_two();
    EXPECT_EQ(pair.one.operational().held, 0x08) << "DefOn is 0, and was not heard of yet";
    pair.transfer_to_one();
    EXPECT_EQ(pair.one.operational().held, 0);
    EXPECT_EQ(pair.two.operational().held, 0) << "it does not hold";
}

TEST(Ladder, CongestionNotificationIsAlwaysDefended) {
    Local one = silent_bridge();
    one.congestion = 0x10;
    Local two = station();
    two.congestion = 0x00;
    two.willing.congestion = true;
    DcbxPair pair = link(one, two);
    FaultCounters faults;
    EXPECT_EQ(read(Dialect::draft0409, pair.one.to_send(), faults).congestion->defences_on, 0x10);
    pair.talk();
    EXPECT_EQ(read(Dialect::draft0409, pair.one.to_send(), faults).congestion->defences_on, 0x00);
    EXPECT_EQ(std::get<PrioritySet>(DcbxPair::row(pair.two, Feature::congestion).oper), 0x10);
}

TEST(Ladder, WhoHasNoCongestionNotificationSeesThePeersAndThatItDefends) {
    Local one = silent_bridge();
    one.congestion = 0x00;
    Local two = station();
    two.congestion = 0x10;
    DcbxPair pair = link(one, two);
    pair.talk();
    const FeatureStatus& row = DcbxPair::row(pair.one, Feature::congestion);
    EXPECT_EQ(row.peer, FeatureValue(PrioritySet{0x10}));
    EXPECT_EQ(row.peer_defences, 0x10);
    EXPECT_EQ(row.mismatch, Mismatch::differs);
    EXPECT_EQ(row.oper, FeatureValue(PrioritySet{0}));
    one.congestion.reset();
    pair.one.configure(Mode::draft0409, one, Nanos(1));
    EXPECT_FALSE(DcbxPair::row(pair.one, Feature::congestion).mismatch) << "it says nothing of it";
    EXPECT_EQ(DcbxPair::row(pair.one, Feature::congestion).peer_defences, 0x10);
}

TEST(Ladder, TrafficClassesSupportedAreAdvertised) {
    Local one = silent_bridge();
    one.ets.max_classes = 3;
    DcbxPair pair = link(one, station());
    pair.talk();
    EXPECT_EQ(DcbxPair::row(pair.two, Feature::classes).peer, FeatureValue(Classes{3}));
}

}  // namespace
}  // namespace sluice::dcbx
