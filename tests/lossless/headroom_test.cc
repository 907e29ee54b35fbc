// Headroom: the computed one is enough in the worst case, and one step less is not.
//
// Each line of the table is a worst case (worst_peer.h). Its response is the longest for which the
// computed headroom is the same, so that what rounding up to whole KiB adds hides nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "tests/lossless/worst_peer.h"

namespace sluice::test {
namespace {

struct Link {
    int64_t gigabits;
    int64_t metres;
    Bytes cell;
    Nanos at_least;  // response
};

std::string name_of(const Link& link) {
    return std::to_string(link.gigabits) + "G_over_" + std::to_string(link.metres) +
           "_m_in_cells_of_" + std::to_string(link.cell.count()) + "_after_" +
           std::to_string(link.at_least.count()) + "_ns";
}
void PrintTo(const Link& link, std::ostream* out) { *out << name_of(link); }

Bytes computed(const StarSpec& spec) { return headroom_for(needs_of(spec, largest)); }

StarSpec spec_of(const Link& link) {
    StarSpec spec{
        .hosts = 3,
        .cable = {BitsPerSecond(link.gigabits * 1'000'000'000), link.metres * 1000},
        .response = link.at_least,
        .cell = link.cell,
        .pool = Bytes(1024 * 1024),
    };
    StarSpec longer = spec;
    for (; computed(longer) == computed(spec); longer.response += Nanos(1)) spec = longer;
    return spec;
}

// The computed one is whole KiB, and what is held is whole frames in whole cells.
Bytes step_of(const Link& link) { return std::max(Bytes(1024), link.cell * 2); }

class HeadroomTest : public testing::TestWithParam<Link> {};

TEST_P(HeadroomTest, TheComputedIsEnoughAndHardlyMore) {
    WorstPeer peer(spec_of(GetParam()));
    Star& star = peer.star();
    const Bytes used = star.headroom_used_max();
    RecordProperty("headroom", static_cast<int>(star.headroom().count()));
    RecordProperty("headroom_used_max", static_cast<int>(used.count()));
    EXPECT_EQ(star.node.drops(Drop::headroom_overrun), 0U)
        << used.count() << " of " << star.headroom().count() << " octets used";
    EXPECT_GT(used.count(), (star.headroom() - step_of(GetParam())).count());
}

TEST_P(HeadroomTest, OneStepLessLosesFrames) {
    StarSpec spec = spec_of(GetParam());
    spec.less_headroom = step_of(GetParam());
    WorstPeer peer(spec);
    EXPECT_GT(peer.star().node.drops(Drop::headroom_overrun), 0U)
        << peer.star().headroom_used_max().count() << " of " << peer.star().headroom().count();
}

INSTANTIATE_TEST_SUITE_P(
    Table, HeadroomTest,
    testing::Values(Link{10, 5, Bytes(1), Nanos(0)}, Link{10, 5, Bytes(1), Nanos(2'000)},
                    Link{10, 300, Bytes(1), Nanos(0)}, Link{10, 5, Bytes(64), Nanos(0)},
                    Link{10, 5, Bytes(64), Nanos(20'000)}, Link{10, 5, Bytes(256), Nanos(0)},
                    Link{10, 5, Bytes(256), Nanos(10'000)}, Link{10, 5, Bytes(1024), Nanos(0)},
                    Link{10, 5, Bytes(2048), Nanos(10'000)}, Link{100, 5, Bytes(1), Nanos(0)},
                    Link{100, 100, Bytes(256), Nanos(1'000)}),
    [](const auto& line) { return name_of(line.param); });

}  // namespace
}  // namespace sluice::test
