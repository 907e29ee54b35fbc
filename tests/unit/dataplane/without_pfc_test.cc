// The dataplane as it is built without PFC: every priority is lossy, and no pause is sent or
// obeyed, whatever the settings say.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/pauses.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::Rig;

static_assert(!with_pfc);

Settings lossless_everywhere() {
    Settings settings = test::settings_of(2);
    settings.buffer.size = 128_KiB;
    for (PortSettings& port : settings.ports) {
        port.pfc = {.lossless = 0xFF, .xoff = 1_KiB, .xon = 0_B, .headroom = 1_KiB};
    }
    return settings;
}

TEST(WithoutPfc, APriorityDropsAtItsThresholdAndPausesNobody) {
    Rig rig(lossless_everywhere());
    for (int burst = 0; burst < 20; ++burst) rig.receive(0, std::string(64, 'a'), {});
    EXPECT_GT(rig.drops(0, Drop::over_threshold), 0U);
    EXPECT_EQ(rig.drops(0, Drop::headroom_overrun), 0U);
    EXPECT_TRUE(rig.send_pause_frame(0).empty());
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

TEST(WithoutPfc, APauseIsNotObeyed) {
    Rig rig(lossless_everywhere());
    rig.receive(1, {test::octets_of(test::pause_of(0xFF, 65535))});
    EXPECT_EQ(rig.drops(1, Drop::pause_opcode), 1U);
    rig.receive(0, "abc", {});
    rig.poll();
    EXPECT_EQ(rig.sent(1), "abc");
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice
