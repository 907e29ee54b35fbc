#include "control/dcbx/informational.h"

#include <gtest/gtest.h>

namespace sluice::dcbx {
namespace {

TEST(Informational, KnowsWhatTheLastFrameSaid) {
    Informational<int> classes;
    EXPECT_TRUE(classes.pending());
    classes.receive(3);
    EXPECT_EQ(classes.remote_param(), 3);
    EXPECT_FALSE(classes.pending());
    classes.receive(8);
    EXPECT_EQ(classes.remote_param(), 8);
    classes.receive(std::nullopt);
    EXPECT_FALSE(classes.remote_param());
    EXPECT_TRUE(classes.pending());
}

}  // namespace
}  // namespace sluice::dcbx
