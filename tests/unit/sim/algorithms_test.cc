// Each algorithm that asks only whether cells wait, or how old they are, by hand.
#include "tools/sim/fabric/algorithms.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/unit/sim/bench_of.h"

namespace sluice::sim {
namespace {

using test::BenchOf;

const std::vector<std::string> all_ask = {"11", "11"};

TEST(Algorithms, AreFoundByName) {
    std::set<std::string_view> names;
    for (const Algorithm& algorithm : algorithms()) {
        EXPECT_EQ(find_algorithm(algorithm.name), &algorithm);
        names.insert(algorithm.name);
    }
    EXPECT_EQ(names, (std::set<std::string_view>{"fifo", "ilqf", "islip", "mwm", "oq", "pim", "rrm",
                                                 "serena", "sw_qps"}));
    EXPECT_EQ(find_algorithm("slip"), nullptr);
}

TEST(Islip, PointersFallOutOfStepAfterOneSlot) {
    BenchOf bench("islip", all_ask, {.iterations = 1});
    EXPECT_EQ(bench.backlogged_slots(5), "0. 10 01 10 01");
}

TEST(Islip, ASecondIterationFillsWhatTheFirstLeft) {
    BenchOf bench("islip", all_ask, {.iterations = 2});
    EXPECT_EQ(bench.backlogged_slots(4), "01 10 01 10");
}

// The pointers of both outputs move together for ever, so half the crossbar idles.
TEST(Rrm, PointersStayInStep) {
    BenchOf bench("rrm", all_ask, {.iterations = 1});
    EXPECT_EQ(bench.backlogged_slots(6), "0. .0 1. .1 0. .0");
}

TEST(Rrm, AGrantThatIsNotAcceptedMovesThePointerToo) {
    // Output 1 grants input 0 in the first slot, in vain, so it grants input 1 in the second.
    BenchOf bench("rrm", {"11", ".1"}, {.iterations = 1});
    EXPECT_EQ(bench.backlogged_slots(2), "0. 01");
    BenchOf islip("islip", {"11", ".1"}, {.iterations = 1});
    EXPECT_EQ(islip.backlogged_slots(2), "0. 1.");
}

TEST(Pim, FindsTheOnlyMatchingThereIs) {
    BenchOf bench("pim", {"..1", "1..", ".1."}, {.iterations = 1});
    EXPECT_EQ(bench.slots(2), "201 ...");
}

TEST(Pim, GrantsAndAcceptsAreEven) {
    constexpr int slots = 20000;
    BenchOf column("pim", {"1.", "1."}, {.iterations = 1});  // two inputs want one output
    BenchOf row("pim", {"11", ".."}, {.iterations = 1});     // two outputs grant one input
    int first_input = 0;
    int first_output = 0;
    for (int n = 0; n < slots; ++n) {
        first_input += column.backlogged_slot() == "0." ? 1 : 0;
        first_output += row.backlogged_slot() == "0." ? 1 : 0;
    }
    EXPECT_NEAR(first_input, slots / 2, 300);
    EXPECT_NEAR(first_output, slots / 2, 300);
}

TEST(Pim, CountsTheIterationsThatAddedAPair) {
    BenchOf alone("pim", {"1.", ".."}, {.iterations = 4});
    EXPECT_EQ(alone.match().iterations, 1U);
    BenchOf nobody("pim", {"..", ".."}, {.iterations = 4});
    EXPECT_EQ(nobody.match().iterations, 0U);
}

TEST(Fifo, TheHeadOfTheLineBlocksWhatIsBehindIt) {
    BenchOf bench("fifo", {"..", ".."});
    bench.voqs().push(0, 0, 0);
    bench.voqs().push(1, 0, 0);
    bench.voqs().push(0, 1, 1);
    bench.voqs().push(1, 1, 1);
    // The first cells of both inputs are for output 0, so output 1 idles; then the loser still
    // blocks its own.
    const std::string first = bench.slot();
    EXPECT_TRUE(first == "0." || first == ".0") << first;
    EXPECT_EQ(bench.slots(3), first == "0." ? "10 .1 .." : "01 1. ..");
}

TEST(Fifo, SendsInTheOrderOfArrival) {
    BenchOf bench("fifo", {"...", "...", "..."});
    Slot now = 0;
    for (const PortIndex output : std::vector<PortIndex>{2, 0, 2, 1, 0}) {
        bench.voqs().push(1, output, now++);
    }
    EXPECT_EQ(bench.slots(6), ".2. .0. .2. .1. .0. ...");
}

TEST(OutputQueued, AnInputMaySendSeveralCellsAtOnce) {
    BenchOf bench("oq", {"11", ".."});
    const Matching matching = bench.match();
    EXPECT_EQ(matching.outputs, 0b11U);
    EXPECT_EQ(matching.input_of[0], 0);
    EXPECT_EQ(matching.input_of[1], 0);
}

TEST(OutputQueued, SendsTheOldestWhereverItWaits) {
    BenchOf bench("oq", {"...", "...", "..."});
    bench.voqs().push(2, 1, 3);
    bench.voqs().push(0, 1, 5);
    bench.voqs().push(1, 1, 4);
    EXPECT_EQ(bench.slots(4), "..1 .1. 1.. ...");
}

}  // namespace
}  // namespace sluice::sim
