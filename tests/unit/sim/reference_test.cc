#include "tools/sim/reference/reference.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "tools/sim/reference/runs.h"
#include "tools/sim/side_by_side.h"

namespace sluice::sim {
namespace {

Figure figure(double expected, Relation relation) {
    return {.name = "a figure",
            .source = "a test",
            .expected = expected,
            .tolerance = 0.1,
            .measure = [expected] { return expected; },
            .relation = relation};
}

TEST(Reference, AFigureHoldsWithinItsToleranceOnTheSidesThatCount) {
    EXPECT_TRUE(holds(figure(1, Relation::about), 1.09));
    EXPECT_FALSE(holds(figure(1, Relation::about), 1.11));
    EXPECT_FALSE(holds(figure(1, Relation::about), 0.89));
    EXPECT_TRUE(holds(figure(1, Relation::at_least), 5));
    EXPECT_FALSE(holds(figure(1, Relation::at_least), 0.89));
    EXPECT_TRUE(holds(figure(1, Relation::at_most), 0));
    EXPECT_FALSE(holds(figure(1, Relation::at_most), 1.11));
}

TEST(Reference, FiguresAreComparedInTheirOrder) {
    Figures figures;
    for (int n = 0; n < 50; ++n) figures.push_back(figure(n, Relation::about));
    figures[7].measure = [] { return 9.0; };
    std::size_t last = 0;
    const auto compared = compare(figures, [&](std::size_t done) { EXPECT_EQ(done, ++last); });
    ASSERT_EQ(compared.size(), 50U);
    EXPECT_EQ(last, 50U);
    for (std::size_t n = 0; n < compared.size(); ++n) {
        EXPECT_EQ(compared[n].expected, static_cast<double>(n));
        EXPECT_EQ(compared[n].ok, n != 7);
    }
    EXPECT_EQ(compared[7].measured, 9);
}

TEST(Reference, EveryFigureHasItsOwnNameAndASource) {
    std::set<std::string> names;
    for (const Figure& row : reference_figures()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_FALSE(row.source.empty());
    }
    EXPECT_GE(names.size(), 100U);
}

TEST(Reference, TheFloorIsThePublishedOne) {
    EXPECT_NEAR(output_queued_wait(16, 0.5), 0.47, 0.005);
    EXPECT_NEAR(output_queued_wait(16, 0.9), 4.22, 0.005);
    EXPECT_NEAR(output_queued_wait(16, 0.99), 46.4, 0.05);
}

TEST(Reference, AFewSlotsComeNearAlready) {
    EXPECT_NEAR(saturation("pim", 16, 1, CellPattern::uniform, 500, 3000), 0.644, 0.01);
    EXPECT_NEAR(saturation("fifo", 8, 1, CellPattern::uniform, 500, 10000), 0.618, 0.01);
    EXPECT_GT(saturation("islip", 16, 1, CellPattern::uniform, 2000, 10000), 0.97);
    const Outcome queued =
        simulate(scenario_of("oq", 16, 1, CellPattern::uniform, 0.8, 1000, 20000));
    EXPECT_NEAR(queued.mean_delay, output_queued_wait(16, 0.8), 0.1);
}

// Returns how many figures of a source hold, and how many there are; of `name`, only figures whose
// name begins so.
std::pair<int, int> holding(std::string_view part_of_source, std::string_view name = "") {
    std::pair<int, int> count{0, 0};
    for (const Figure& figure : reference_figures()) {
        if (figure.source.find(part_of_source) == std::string_view::npos) continue;
        if (!figure.name.starts_with(name)) continue;
        count.first += holds(figure, figure.measure()) ? 1 : 0;
        ++count.second;
    }
    return count;
}

using Pair = std::pair<int, int>;

TEST(Reference, AHotQueueTakesWhatDynamicThresholdSays) {
    EXPECT_EQ(holding("Choudhury"), Pair(10, 10));
}

TEST(Reference, TheBufferOfAnIncastIsThatOfEightHostsToANinth) {
    EXPECT_EQ(holding("PAXI frames, 5.5"), Pair(1, 3));
}

TEST(Reference, EachClassOfTrafficGetsItsWeight) {
    EXPECT_EQ(holding("PAXI frames, 5.6"), Pair(4, 4));
}

TEST(Reference, PausesGoHopByHopAndMarksComeBeforeThem) {
    EXPECT_EQ(holding("PAXI frames, 5.7"), Pair(3, 4));
    EXPECT_EQ(holding("PAXI frames, 5.8"), Pair(2, 2));
}

TEST(Reference, FramesTakeTheWireAsLongAsTheStudySaysButForThoseThatArePadded) {
    EXPECT_EQ(holding("PAXI frames, 6", "TYPE1 REQ"), Pair(6, 7));
    EXPECT_EQ(holding("PAXI frames, 6", "TYPE1 ACK"), Pair(0, 6));
    EXPECT_EQ(holding("PAXI frames, 6", "Incast"), Pair(1, 1));
}

TEST(Reference, CutThroughAddsThePipelineWhateverTheFrame) {
    EXPECT_EQ(holding("PAXI frames, 6.4"), Pair(4, 4));
}

TEST(Reference, TheNetworksOfTheStudyLoseNothingAndCarryLessThanItSays) {
    EXPECT_EQ(holding("PAXI frames, 7"), Pair(6, 8));
}

TEST(Reference, APauseRunsFromCauseToEnd) { EXPECT_EQ(holding("network simulator"), Pair(7, 7)); }

TEST(Reference, NdpsIncastsEndNearTheOptimumAndItsSenderSharesAsPublished) {
    EXPECT_EQ(holding("Handley", "incast"), Pair(6, 12));
    EXPECT_EQ(holding("Handley", "A sends"), Pair(5, 5));
}

TEST(Reference, AGatewayNeedsTwiceWhatTheDraftSays) {
    EXPECT_EQ(holding("draft-he-rtgwg-wan-pfc-00", "100 km"), Pair(2, 5));
    EXPECT_EQ(holding("annex N", "100 km"), Pair(2, 2));
}

// By roughly how much: the tail of the shortest flows is half of that under the others.
TEST(Reference, UnderHpccShortFlowsAreTheLeastSlowedDown) {
    int figures = 0;
    for (const Figure& figure : reference_figures()) {
        if (figure.source.find("HPCC") == std::string_view::npos) continue;
        const double ratio = figure.measure();
        EXPECT_TRUE(holds(figure, ratio)) << figure.name << ": " << ratio;
        EXPECT_GT(ratio, 0.05) << figure.name;
        if (figure.name.find("to 2 KB") != std::string::npos) {
            EXPECT_LT(ratio, 0.5) << figure.name;
        }
        ++figures;
    }
    EXPECT_EQ(figures, 6);
}

TEST(SideBySide, EveryJobIsDoneOnce) {
    std::array<std::atomic<int>, 200> runs{};
    std::size_t reported = 0;
    side_by_side(
        runs.size(), [&](std::size_t n) { ++runs[n]; }, [&](std::size_t done) { reported = done; });
    for (const auto& times : runs) EXPECT_EQ(times, 1);
    EXPECT_EQ(reported, runs.size());
    side_by_side(
        0, [](std::size_t) { FAIL(); }, [](std::size_t) { FAIL(); });
}

}  // namespace
}  // namespace sluice::sim
