#include "control/dcbx/cee_control.h"

#include <gtest/gtest.h>

namespace sluice::dcbx {
namespace {

TEST(CeeControl, StartsWithTheFirstNumberAndNobody) {
    const CeeControl control;
    EXPECT_EQ(control.to_send(), (Control{.seqno = 1, .ackno = 0}));
    EXPECT_FALSE(control.syncd());
}

TEST(CeeControl, AcknowledgesWhatItReceives) {
    CeeControl control;
    control.receive(Control{.seqno = 7, .ackno = 0});
    EXPECT_EQ(control.to_send(), (Control{.seqno = 1, .ackno = 7}));
    EXPECT_FALSE(control.syncd());
    control.receive(Control{.seqno = 7, .ackno = 1});
    EXPECT_TRUE(control.syncd());
}

TEST(CeeControl, AChangeTakesTheNextNumberOnceTheLastIsAcknowledged) {
    CeeControl control;
    control.receive(Control{.seqno = 7, .ackno = 1});
    control.changed();
    EXPECT_EQ(control.to_send().seqno, 2U);
    EXPECT_FALSE(control.syncd());
    control.changed();
    EXPECT_EQ(control.to_send().seqno, 2U) << "2 is still under way";
    control.receive(Control{.seqno = 7, .ackno = 2});
    EXPECT_EQ(control.to_send().seqno, 3U);
    EXPECT_FALSE(control.syncd());
    control.receive(Control{.seqno = 7, .ackno = 3});
    EXPECT_TRUE(control.syncd());
}

TEST(CeeControl, WithoutAPeerChangesWaitForOne) {
    CeeControl control;
    control.changed();
    control.changed();
    EXPECT_EQ(control.to_send().seqno, 1U);
    control.receive(Control{.seqno = 1, .ackno = 1});
    EXPECT_EQ(control.to_send().seqno, 2U);
}

TEST(CeeControl, ForgetsWhoIsGone) {
    CeeControl control;
    control.receive(Control{.seqno = 7, .ackno = 1});
    control.receive(std::nullopt);
    EXPECT_FALSE(control.syncd());
    EXPECT_EQ(control.to_send().ackno, 0U);
}

TEST(CeeControl, NumbersRoundUpToZeroAndOn) {
    CeeControl control;
    // An acknowledgement of a number that was never sent is none.
    control.receive(Control{.seqno = 0xFFFFFFFF, .ackno = 9});
    EXPECT_EQ(control.to_send().ackno, 0xFFFFFFFFU);
    EXPECT_FALSE(control.syncd());
    control.receive(Control{.seqno = 0, .ackno = 1});
    EXPECT_TRUE(control.syncd());
}

}  // namespace
}  // namespace sluice::dcbx
