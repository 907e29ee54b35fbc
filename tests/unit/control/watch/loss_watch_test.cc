#include "control/watch/loss_watch.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using std::chrono::seconds;

class Losses {
  public:
    // Returns the reports of that second, as PORT REASON FRAMES.
    std::string at(int second) {
        std::string events;
        const LossCounts counts{
            .dropped =
                [&](PortIndex port, Drop why) {
                    return lost[{port, why}];
                },
            .missed = [&](PortIndex port) { return missed[port]; },
            .lossless = [&](PortIndex port) { return lossless.contains(port); },
            .ignored = [&](PortIndex port) { return ignored[port]; },
        };
        watch_.look(counts, LossWatch::Time(seconds(second)));
        for (const RecordedEvents::Row& event : recorded_.take()) {
            const std::string frames = event.text.substr(0, event.text.find(' '));
            last_text = event.text;
            events += event.port + ' ' + event.kind + ' ' + frames + '\n';
        }
        return events;
    }
    std::map<std::pair<PortIndex, Drop>, uint64_t> lost;
    std::map<PortIndex, uint64_t> missed;
    std::set<PortIndex> lossless;
    std::map<PortIndex, uint64_t> ignored;
    std::string last_text;

  private:
    RecordedEvents recorded_;
    LossWatch watch_{2, recorded_.sink};
};

TEST(LossWatch, is_silent_of_drops_that_are_right) {
    Losses losses;
    EXPECT_EQ(losses.at(0), "");
    losses.lost[{0, Drop::over_threshold}] = 9;
    EXPECT_EQ(losses.at(1), "");
}

TEST(LossWatch, reports_each_loss_of_each_port_at_once) {
    Losses losses;
    losses.lost[{0, Drop::headroom_overrun}] = 3;
    losses.lost[{1, Drop::no_queue_entry}] = 4;
    EXPECT_EQ(losses.at(1), "0 headroom_overrun 3\n1 no_queue_entry 4\n");
    losses.lost[{0, Drop::no_queue_entry}] = 5;
    EXPECT_EQ(losses.at(2), "0 no_queue_entry 5\n");
}

TEST(LossWatch, reports_one_that_lasts_every_ten_seconds) {
    Losses losses;
    for (int second = 1; second < 21; ++second) {
        losses.lost[{1, Drop::headroom_overrun}] += 2;
        const std::string expected = second == 1    ? "1 headroom_overrun 2\n"
                                     : second == 11 ? "1 headroom_overrun 20\n"
                                                    : "";
        EXPECT_EQ(losses.at(second), expected) << second;
    }
}

TEST(LossWatch, tells_a_peer_that_obeys_nothing_from_too_small_a_headroom) {
    Losses losses;
    losses.lost[{0, Drop::headroom_overrun}] = 3;
    losses.at(1);
    EXPECT_NE(losses.last_text.find("raise it"), std::string::npos);
    losses.ignored[1] = 9;
    EXPECT_EQ(losses.at(2), "1 pause_ignored 9\n") << "before anything is lost";
    losses.lost[{1, Drop::headroom_overrun}] = 4;
    EXPECT_EQ(losses.at(3), "1 headroom_overrun 4\n");
    EXPECT_EQ(losses.last_text.find("raise it"), std::string::npos);
    EXPECT_NE(losses.last_text.find("obeys no pauses"), std::string::npos);
}

TEST(LossWatch, reports_what_a_device_lost_of_a_lossless_port) {
    Losses losses;
    losses.lossless = {1};
    losses.missed = {{0, 5}, {1, 7}};
    EXPECT_EQ(losses.at(1), "1 missed 7\n");
    losses.missed[1] = 8;
    EXPECT_EQ(losses.at(2), "");
    EXPECT_EQ(losses.at(11), "1 missed 1\n");
}

TEST(LossWatch, is_silent_of_what_a_device_lost_before_its_port_was_lossless) {
    Losses losses;
    losses.missed[0] = 5;
    EXPECT_EQ(losses.at(1), "");
    losses.lossless = {0};
    EXPECT_EQ(losses.at(2), "");
    losses.missed[0] = 6;
    EXPECT_EQ(losses.at(3), "0 missed 1\n");
}

}  // namespace
}  // namespace sluice::control
