#include "control/loss_watch.h"

#include <gtest/gtest.h>

#include <map>

namespace sluice::control {
namespace {

using std::chrono::seconds;

class Losses {
  public:
    // What is told at that second, as PORT REASON FRAMES.
    std::string at(int second) {
        std::string told;
        const auto count = [&](PortIndex port, Drop why) { return lost[{port, why}]; };
        for (const LossEvent& event : watch_.look(count, LossWatch::Time(seconds(second)))) {
            const std::string frames = event.text.substr(0, event.text.find(' '));
            told += std::to_string(event.port) + ' ' + std::string(name_of(event.why)) + ' ' +
                    frames + '\n';
        }
        return told;
    }
    std::map<std::pair<PortIndex, Drop>, uint64_t> lost;

  private:
    LossWatch watch_{2};
};

TEST(LossWatch, is_silent_of_drops_that_are_right) {
    Losses losses;
    EXPECT_EQ(losses.at(0), "");
    losses.lost[{0, Drop::over_threshold}] = 9;
    EXPECT_EQ(losses.at(1), "");
}

TEST(LossWatch, tells_each_loss_of_each_port_at_once) {
    Losses losses;
    losses.lost[{0, Drop::headroom_overrun}] = 3;
    losses.lost[{1, Drop::no_queue_entry}] = 4;
    EXPECT_EQ(losses.at(1), "0 headroom_overrun 3\n1 no_queue_entry 4\n");
    losses.lost[{0, Drop::no_queue_entry}] = 5;
    EXPECT_EQ(losses.at(2), "0 no_queue_entry 5\n");
}

TEST(LossWatch, tells_one_that_lasts_every_ten_seconds) {
    Losses losses;
    for (int second = 1; second < 21; ++second) {
        losses.lost[{1, Drop::headroom_overrun}] += 2;
        const std::string expected = second == 1    ? "1 headroom_overrun 2\n"
                                     : second == 11 ? "1 headroom_overrun 20\n"
                                                    : "";
        EXPECT_EQ(losses.at(second), expected) << second;
    }
}

}  // namespace
}  // namespace sluice::control
