#include "tools/sim/fabric/voqs.h"

#include <gtest/gtest.h>

namespace sluice::sim {
namespace {

TEST(Voqs, AreFifosThatKnowWhenTheirCellsCame) {
    Voqs voqs(4, 100);
    voqs.push(1, 2, 10);
    voqs.push(1, 2, 11);
    voqs.push(1, 3, 12);
    EXPECT_EQ(voqs.length(1, 2), 2U);
    EXPECT_EQ(voqs.oldest(1, 2), 10U);
    EXPECT_EQ(voqs.pop(1, 2), 10U);
    EXPECT_EQ(voqs.pop(1, 3), 12U);
    EXPECT_EQ(voqs.pop(1, 2), 11U);
    EXPECT_EQ(voqs.waiting(), 0U);
}

TEST(Voqs, SaysWhoHasCellsForWhom) {
    Voqs voqs(4, 100);
    voqs.push(0, 2, 0);
    voqs.push(3, 2, 0);
    voqs.push(3, 1, 0);
    EXPECT_EQ(voqs.inputs_for(2), 0b1001U);
    EXPECT_EQ(voqs.outputs_of(3), 0b0110U);
    voqs.pop(3, 2);
    EXPECT_EQ(voqs.inputs_for(2), 0b0001U);
    EXPECT_EQ(voqs.outputs_of(3), 0b0010U);
}

TEST(Voqs, AnInputHoldsSoManyCellsAndTheOthersAreNotConcerned) {
    Voqs voqs(2, 3);
    EXPECT_TRUE(voqs.push(0, 0, 0) && voqs.push(0, 1, 1) && voqs.push(0, 0, 2));
    EXPECT_FALSE(voqs.push(0, 1, 3));
    EXPECT_TRUE(voqs.push(1, 1, 3));
    voqs.pop(0, 1);
    EXPECT_TRUE(voqs.push(0, 0, 4));
    EXPECT_EQ(voqs.waiting(), 4U);
}

TEST(Voqs, CellsThatLeftAreUsedAgain) {
    Voqs voqs(2, 3);
    for (Slot now = 0; now < 1000; ++now) {
        ASSERT_TRUE(voqs.push(0, 1, now) && voqs.push(0, 0, now));
        ASSERT_EQ(voqs.pop(0, 0), now);
        ASSERT_EQ(voqs.pop(0, 1), now);
    }
}

}  // namespace
}  // namespace sluice::sim
