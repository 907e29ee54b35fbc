// Pause accuracy: a pause of so many quanta stops its priority for that time and no other.
//
//   port 0  sink     asks for a pause of priority 3, and keeps when each frame was begun
//   port 1  sends priority 3 at line rate
//   port 2  sends priority 0 at half of it
// The switch holds frames of both all the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "tests/lossless/star.h"

namespace sluice::test {
namespace {

constexpr Picos within{5'000'000};  // 5 us
constexpr Picos nanosecond{1000};   // the resolution of the switch's time

struct Pause {
    int64_t gigabits;
    uint16_t quanta;
};
std::string name_of(const Pause& pause) {
    return std::to_string(pause.quanta) + "_quanta_at_" + std::to_string(pause.gigabits) + "G";
}
void PrintTo(const Pause& pause, std::ostream* out) { *out << name_of(pause); }

class PauseAccuracyTest : public testing::TestWithParam<Pause> {
  protected:
    PauseAccuracyTest()
        : cable_{BitsPerSecond(GetParam().gigabits * 1'000'000'000), 5'000},
          star_({.hosts = 3, .cable = cable_}) {
        star_.add_flow(1, 0, lossless, {1522, 1522});
        star_.add_flow(2, 0, lossy, {1522, 1522});
        star_.host(0).keeps_arrivals = true;
        star_.start();
        star_.network.run_for(Nanos(100'000));
        star_.host(2).set_rate(cable_.speed / 2);
    }
    // When the switch has received it.
    Picos pause(uint16_t quanta) {
        const Bytes octets = Bytes(pause_frame_octets) + wire_overhead - gap;
        star_.host(0).send_pause(lossless, quanta);
        return star_.network.now() + cable_.time_of(octets) + cable_.delay();
    }
    [[nodiscard]] Picos span(uint16_t quanta) const {
        return octet_time(cable_.speed) * (64 * int64_t{quanta});
    }
    std::size_t begun(Priority priority, Picos from, Picos to) {
        return static_cast<std::size_t>(
            std::ranges::count_if(star_.host(0).arrivals, [&](const Host::Arrival& arrival) {
                return arrival.priority == priority && arrival.began > from && arrival.began < to;
            }));
    }
    // How many a link at its full speed begins in that time.
    [[nodiscard]] std::size_t most_in(Picos time) const {
        return static_cast<std::size_t>(time.count() / cable_.time_of(Bytes(1542)).count());
    }

    Cable cable_;
    Star star_;
};

TEST_P(PauseAccuracyTest, HoldsForItsTimeAndNoLonger) {
    const uint16_t quanta = GetParam().quanta;
    const Picos received = pause(quanta);
    const Picos ends = received + span(quanta);
    star_.network.run_until(ends + within * 4);

    EXPECT_EQ(begun(lossless, received, ends - nanosecond), 0U);
    EXPECT_GT(begun(lossless, received - within, received + nanosecond), 0U)
        << "sent up to the pause";
    EXPECT_GT(begun(lossless, ends - nanosecond, ends + within), 0U) << "goes on within 5 us";
    EXPECT_GE(begun(lossy, received, ends) + 1, most_in(span(quanta)) / 2) << "the other went on";
}

TEST_P(PauseAccuracyTest, ANewPauseReplacesTheTime) {
    const uint16_t quanta = GetParam().quanta;
    const Picos first = pause(quanta);
    star_.network.run_until(first + span(quanta) * 3 / 4);
    const Picos second = pause(quanta);
    const Picos ends = second + span(quanta);
    star_.network.run_until(ends + within * 4);

    EXPECT_EQ(begun(lossless, first, std::min(second, first + span(quanta) - nanosecond)), 0U);
    EXPECT_EQ(begun(lossless, second, ends - nanosecond), 0U);
    EXPECT_GT(begun(lossless, ends - nanosecond, ends + within), 0U);
}

TEST_P(PauseAccuracyTest, XonEndsItAtOnce) {
    const uint16_t quanta = GetParam().quanta;
    const Picos received = pause(quanta);
    star_.network.run_until(received + span(quanta) / 4);
    const Picos ended = pause(0);
    star_.network.run_until(ended + within * 4);

    EXPECT_EQ(begun(lossless, received, std::min(ended, received + span(quanta) - nanosecond)), 0U);
    EXPECT_GT(begun(lossless, ended - nanosecond, ended + within), 0U);
}

INSTANTIATE_TEST_SUITE_P(Table, PauseAccuracyTest,
                         testing::Values(Pause{10, 10}, Pause{10, 100}, Pause{10, 1000},
                                         Pause{10, 10'000}, Pause{10, 50'000}, Pause{100, 10},
                                         Pause{100, 100}, Pause{100, 1000}, Pause{100, 10'000},
                                         Pause{100, 50'000}),
                         [](const auto& line) { return name_of(line.param); });

}  // namespace
}  // namespace sluice::test
