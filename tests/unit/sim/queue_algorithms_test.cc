// Each algorithm that looks at how long the queues are, by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/sim/bench_of.h"
#include "tools/sim/fabric/chance.h"

namespace sluice::sim {
namespace {

using test::BenchOf;

TEST(Ilqf, TheLongestQueueIsGrantedAndAccepted) {
    BenchOf bench("ilqf", {"52", "43"}, {.iterations = 1});
    EXPECT_EQ(bench.slot(), "01");
    // Both outputs grant input 0, and it accepts the longer queue.
    BenchOf contended("ilqf", {"54", "31"}, {.iterations = 1});
    EXPECT_EQ(contended.slot(), "0.");
}

TEST(Ilqf, IsGreedyNotHeaviest) {
    BenchOf greedy("ilqf", {"54", "3."}, {.iterations = 2});
    EXPECT_EQ(greedy.slot(), "0.");
    BenchOf heaviest("mwm", {"54", "3."});
    EXPECT_EQ(heaviest.slot(), "10");
}

TEST(Ilqf, EqualsAreDrawn) {
    BenchOf bench("ilqf", {"2.", "2."}, {.iterations = 1});
    int first = 0;
    for (int n = 0; n < 1000; ++n) first += bench.backlogged_slot() == "0." ? 1 : 0;
    EXPECT_NEAR(first, 500, 80);
}

TEST(Serena, TheLastMatchingStaysWhereItIsHeavier) {
    BenchOf bench("serena", {"51", "11"});
    bench.arrive("01");
    EXPECT_EQ(bench.backlogged_slot(), "01");
    bench.arrive("10");
    EXPECT_EQ(bench.backlogged_slot(), "01");
}

TEST(Serena, ArrivalsReplaceWhatIsLighterAndAreRemembered) {
    BenchOf bench("serena", {"13", "31"});
    bench.arrive("10");
    EXPECT_EQ(bench.backlogged_slot(), "10");
    bench.arrive("01");
    EXPECT_EQ(bench.backlogged_slot(), "10");
}

TEST(Serena, MergesCycleByCycle) {
    BenchOf bench("serena", {"51..", "15..", "..15", "..51"});
    bench.arrive("0123");
    EXPECT_EQ(bench.backlogged_slot(), "0123");
    bench.arrive("1032");
    EXPECT_EQ(bench.backlogged_slot(), "0132");
}

TEST(Serena, ACycleMayRunThroughAllPorts) {
    BenchOf bench("serena", {"15..", ".15.", "..15", "5..1"});
    bench.arrive("1230");
    EXPECT_EQ(bench.backlogged_slot(), "1230");
    BenchOf lighter("serena", {"51..", ".51.", "..51", "1..5"});
    lighter.arrive("0123");
    EXPECT_EQ(lighter.backlogged_slot(), "0123");
    lighter.arrive("1230");
    EXPECT_EQ(lighter.backlogged_slot(), "0123");
}

TEST(Serena, OfTwoArrivalsForAnOutputTheLongerQueueStays) {
    BenchOf bench("serena", {"2.", "9."});
    bench.arrive("00");
    EXPECT_EQ(bench.backlogged_slot(), ".0");
}

// Arrivals may stand against a path that ends at ports without cells.
TEST(Serena, APathIsWeighedAsACycleIs) {
    BenchOf bench("serena", {"3..", "43.", ".4."});
    bench.arrive("01.");
    EXPECT_EQ(bench.backlogged_slot(), "01.");
    bench.arrive(".01");
    EXPECT_EQ(bench.backlogged_slot(), ".01");  // 4 + 4 against 3 + 3
    bench.arrive("0..");
    EXPECT_EQ(bench.backlogged_slot(), ".01");
}

TEST(Serena, WhoeverIsLeftIsMatchedWithWhatIsLeft) {
    BenchOf bench("serena", {"1..", ".1.", "..1"});
    EXPECT_EQ(bench.backlogged_slot(), "012") << "nothing arrived, and nobody idles";
}

// iSLIP has a slot in 64: a short queue that nothing comes to waits for that long.
TEST(Serena, AShortQueueIsNotStarvedByLongOnes) {
    BenchOf bench("serena", {"91", "9."});
    bench.arrive("00");
    std::string seen;
    for (int slot = 0; slot < 130; ++slot) seen += bench.backlogged_slot() + " ";
    EXPECT_NE(seen.find("10"), std::string::npos);
}

TEST(SwQps, TheLongestQueueGetsTheFirstSlotOfTheWindow) {
    BenchOf bench("sw_qps", {"1.", "2."}, {.window = 2});
    EXPECT_EQ(bench.slots(4), ".0 0. .0 ..");
}

TEST(SwQps, AWindowOfOneRemembersNoLoser) {
    BenchOf bench("sw_qps", {"1.", "9."}, {.window = 1});
    EXPECT_EQ(bench.backlogged_slots(5), ".0 .0 .0 .0 .0");
    BenchOf window("sw_qps", {"1.", "9."}, {.window = 2});
    EXPECT_EQ(window.backlogged_slots(2), ".0 0.");
}

TEST(SwQps, ACellIsScheduledOnce) {
    BenchOf bench("sw_qps", {"1.", "3."}, {.window = 16});
    // Slots 0 to 3 are given at once: three cells of input 1, then nothing is left to propose.
    EXPECT_EQ(bench.slots(6), ".0 0. .0 .0 .. ..");
}

TEST(SwQps, DrawsInProportionToTheQueues) {
    BenchOf bench("sw_qps", {"91", ".."}, {.window = 1});
    int first = 0;
    for (int n = 0; n < 10000; ++n) first += bench.backlogged_slot() == "0." ? 1 : 0;
    EXPECT_NEAR(first, 9000, 150);
}

// The most weight of all matchings of `input` and later inputs with outputs that are not taken.
uint32_t most_weight(const Voqs& voqs, PortIndex input = 0, PortSet taken = 0) {
    if (input == voqs.ports()) return 0;
    uint32_t most = 0;
    for_each_port(first_ports(voqs.ports()) & ~taken, [&](PortIndex output) {
        const auto next = static_cast<PortIndex>(input + 1);
        most = std::max(most,
                        voqs.length(input, output) + most_weight(voqs, next, taken | only(output)));
    });
    return most;
}

TEST(Mwm, IsTheHeaviestOfAllMatchings) {
    Random random(5);
    for (int n = 0; n < 300; ++n) {
        std::vector<std::string> queues(2 + below(random, 5));
        for (std::string& row : queues) {
            row.resize(queues.size());
            for (char& queue : row) queue = ".123456789"[below(random, 10)];
        }
        BenchOf bench("mwm", queues);
        const Matching matching = bench.match();
        uint32_t weight = 0;
        for_each_port(matching.outputs, [&](PortIndex output) {
            weight += bench.voqs().length(matching.input_of[output], output);
        });
        ASSERT_EQ(weight, most_weight(bench.voqs())) << "round " << n;
    }
}

}  // namespace
}  // namespace sluice::sim
