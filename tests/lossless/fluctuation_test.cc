// Fluctuation: nothing is lost while what the incast is made of changes all the time.
//
//   throttled     the sink's link is paused in turns, for as long as is drawn, and resumed early
//   bursts        each sender goes from silence to line rate and back
//   response      a peer obeys at once, then as slowly as it may, then something between
//   all           all of it, at 100 Gb/s over 100 m
//   reconfigured  levels move while frames wait
#include <gtest/gtest.h>

#include <ostream>

#include "dataplane/types/random.h"
#include "tests/lossless/star.h"

namespace sluice::test {
namespace {

constexpr PortIndex target = 0;
constexpr PortIndex senders = 5;
constexpr Nanos slowest{100'000};
constexpr std::size_t turns = 2'000 / LOSSLESS_SHARE;

struct Fluctuation {
    const char* name;
    Cable cable;
    bool throttles = false;
    bool bursts = false;
    bool changes_response = false;
    bool reconfigures = false;
};
void PrintTo(const Fluctuation& what, std::ostream* out) { *out << what.name; }

class FluctuationTest : public testing::TestWithParam<Fluctuation> {
  protected:
    // 0 to `most`.
    int64_t draw(int64_t most) { return random_.next() % (most + 1); }

    // The sink holds the priority for up to a millisecond, or lets it go before its time.
    void throttle(Star& star) {
        const int64_t longest = 1'000'000 * GetParam().cable.speed.count() / 512'000'000'000;
        const bool lets_go = draw(2) == 0;
        star.host(target).send_pause(lossless, static_cast<uint16_t>(lets_go ? 0 : draw(longest)));
    }
    void change_rate(Star& star) {
        const int64_t tenths = draw(10);
        star.host(some_sender())
            .set_rate(BitsPerSecond(GetParam().cable.speed.count() / 10 * tenths));
    }
    void change_response(Star& star) {
        const int64_t how = draw(2);
        const int64_t response = how == 0 ? 0 : how == 1 ? slowest.count() : draw(slowest.count());
        star.host(some_sender()).sender.set_response(Nanos(response));
    }
    void reconfigure(Star& star) {
        Settings next = settings_;
        for (PortSettings& port : next.ports) {
            port.pfc.xoff = Bytes(1024 * (1 + draw(64)));
            port.pfc.xon = Bytes(draw(port.pfc.xoff.count()));
            port.pfc.alpha_128 = draw(1) == 0 ? 0 : 128;
        }
        star.node.adopt(next);
    }
    PortIndex some_sender() { return static_cast<PortIndex>(1 + draw(senders - 1)); }

    Random random_{1};
    Settings settings_;
};

TEST_P(FluctuationTest, LosesNothing) {
    const Fluctuation& what = GetParam();
    const StarSpec spec{.hosts = senders + 1, .cable = what.cable, .response = slowest};
    settings_ = settings_of(spec);
    Star star(spec, settings_);
    for (PortIndex port = 1; port <= senders; ++port) {
        star.add_flow(port, target, lossless, {64, 1522});
    }
    star.start();
    for (std::size_t turn = 0; turn < turns; ++turn) {
        if (what.throttles) throttle(star);
        if (what.bursts) change_rate(star);
        if (what.changes_response) change_response(star);
        if (what.reconfigures) reconfigure(star);
        star.network.run_for(Nanos(draw(200'000)));
    }
    star.host(target).send_pause(lossless, 0);
    star.drain();

    EXPECT_TRUE(star.lost_nothing());
    EXPECT_TRUE(star.at_rest());
    EXPECT_GT(star.received(lossless), 20 * turns);
    for (PortIndex port = 1; port <= senders; ++port) {
        EXPECT_GT(star.host(port).sender.pauses_received(), turns / 20) << "was hardly ever paused";
    }
}

constexpr Cable short_cable{BitsPerSecond(10'000'000'000), 5'000};
constexpr Cable long_cable{BitsPerSecond(100'000'000'000), 100'000};

INSTANTIATE_TEST_SUITE_P(
    Table, FluctuationTest,
    testing::Values(Fluctuation{.name = "throttled", .cable = short_cable, .throttles = true},
                    Fluctuation{.name = "bursts", .cable = short_cable, .bursts = true},
                    Fluctuation{.name = "response", .cable = short_cable, .changes_response = true},
                    Fluctuation{.name = "reconfigured", .cable = short_cable, .reconfigures = true},
                    Fluctuation{"all", long_cable, true, true, true, true}),
    [](const auto& line) { return line.param.name; });

}  // namespace
}  // namespace sluice::test
