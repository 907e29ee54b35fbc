// Pool: lossless groups share it down to the last octet, and take no more than was set aside.
//
//   hosts 2 to 9   send priority 3 to both sinks, in turn
//   hosts 0 and 1  sinks that hold their links in turns, as is drawn
// The pool is smaller than the groups may fill, so it is gone again and again while frames of one
// group wait for one sink and flow to the other. Each group may then exceed the pool by the frame
// that reaches XOFF, for which shared_size() sets a place aside, so memory that was sized by the
// settings has it. Beyond, a device would find no buffer, and drop where nobody counts it.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "dataplane/types/random.h"
#include "tests/lossless/star.h"

namespace sluice::test {
namespace {

constexpr PortIndex sinks = 2;
constexpr PortIndex senders = 8;
constexpr std::size_t turns = 2'000 / LOSSLESS_SHARE;
constexpr uint16_t millisecond = 19'531;  // in quanta at 10 Gb/s

struct Shared {
    Bytes pool;
    uint32_t alpha_128;
    Nanos response;
};
std::string name_of(const Shared& shared) {
    return std::to_string(shared.pool.count() / 1024) + "_KiB_with_alpha_" +
           std::to_string(shared.alpha_128) + "_after_" +
           std::to_string(shared.response.count() / 1000) + "_us";
}
void PrintTo(const Shared& shared, std::ostream* out) { *out << name_of(shared); }

class PoolTest : public testing::TestWithParam<Shared> {};

TEST_P(PoolTest, IsOverdrawnByNoMoreThanAFrameAGroup) {
    const StarSpec spec{
        .hosts = sinks + senders, .response = GetParam().response, .pool = GetParam().pool};
    Settings settings = settings_of(spec);
    for (PortSettings& port : settings.ports) port.pfc.alpha_128 = GetParam().alpha_128;
    Star star(spec, settings);
    for (PortIndex port = sinks; port < sinks + senders; ++port) {
        for (PortIndex sink = 0; sink < sinks; ++sink) {
            star.add_flow(port, sink, lossless, {64, 1522});
        }
    }
    star.start();
    Random random(1);
    for (std::size_t turn = 0; turn < turns; ++turn) {
        star.host(0).send_pause(lossless, random.next() % 4 == 0 ? 0 : millisecond);
        const auto quanta = static_cast<uint16_t>(random.next() % millisecond);
        if (random.next() % 3 == 0) {
            star.host(1).send_pause(lossless, random.next() % 2 == 0 ? quanta : 0);
        }
        star.network.run_for(Nanos(random.next() % 200'000));
    }
    for (PortIndex sink = 0; sink < sinks; ++sink) star.host(sink).send_pause(lossless, 0);
    star.drain();

    EXPECT_LE(star.pool_overdrawn().count(), star.longest_charge().count() * senders);
    EXPECT_TRUE(star.lost_nothing());
    EXPECT_TRUE(star.at_rest());
    EXPECT_GT(star.received(lossless), 20 * turns);
}

INSTANTIATE_TEST_SUITE_P(Table, PoolTest,
                         testing::Values(Shared{Bytes(16 * 1024), 0, Nanos(0)},
                                         Shared{Bytes(16 * 1024), 0, Nanos(50'000)},
                                         Shared{Bytes(64 * 1024), 0, Nanos(0)},
                                         Shared{Bytes(64 * 1024), 128, Nanos(0)},
                                         Shared{Bytes(256 * 1024), 128, Nanos(50'000)}),
                         [](const auto& line) { return name_of(line.param); });

}  // namespace
}  // namespace sluice::test
