#include "control/runtime/machine_identity.h"

#include <gtest/gtest.h>

namespace sluice::control {
namespace {

TEST(MachineIdentity, stays_and_is_a_switchs_own) {
    EXPECT_EQ(machine_identity("/run/sluice/a.sock"), machine_identity("/run/sluice/a.sock"));
    EXPECT_NE(machine_identity("/run/sluice/a.sock"), machine_identity("/run/sluice/b.sock"));
}

}  // namespace
}  // namespace sluice::control
