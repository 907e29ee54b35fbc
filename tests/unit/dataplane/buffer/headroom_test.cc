#include "dataplane/buffer/headroom.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

HeadroomNeeds hardware(int64_t gigabits, int64_t metres) {
    const BitsPerSecond speed = 1_Gbps * gigabits;
    return {.speed = speed,
            .cable_millimetres = metres * 1000,
            .mtu = 1500_B,
            .port_mtu = 9100_B,
            .response = hardware_response(speed)};
}

struct Row {
    int64_t gigabits;
    int64_t metres;
    int64_t octets;
};
class PublishedHeadroom : public testing::TestWithParam<Row> {};

// Headroom that a hardware switch with a cell overhead of 1 has for these cables.
TEST_P(PublishedHeadroom, IsReproduced) {
    const Row& row = GetParam();
    EXPECT_EQ(headroom_for(hardware(row.gigabits, row.metres)), Bytes(row.octets));
}

INSTANTIATE_TEST_SUITE_P(SpeedsAndCables, PublishedHeadroom,
                         testing::Values(Row{10, 5, 15360}, Row{10, 40, 16384}, Row{10, 300, 19456},
                                         Row{25, 5, 16384}, Row{25, 40, 17408}, Row{25, 300, 25600},
                                         Row{100, 5, 36864}, Row{100, 40, 40960},
                                         Row{100, 300, 73728}, Row{400, 5, 71680},
                                         Row{400, 40, 89088}, Row{400, 300, 220160}),
                         [](const auto& instance) {
                             return std::to_string(instance.param.gigabits) + "GOver" +
                                    std::to_string(instance.param.metres) + "m";
                         });

TEST(Headroom, AResponseInTimeIsOctetsAtTheSpeed) {
    HeadroomNeeds needs{.speed = 100_Gbps, .cable_millimetres = 0, .mtu = 0_B, .port_mtu = 0_B};
    needs.response = 10_us;
    EXPECT_EQ(headroom_for(needs), 123_KiB);  // 125000 octets
}

// Frames sent until the far sender receives the pause, and frames in flight at that time.
TEST(Headroom, ADelayOfARelayCountsTwice) {
    HeadroomNeeds needs{.speed = 10_Gbps, .cable_millimetres = 0, .mtu = 0_B, .port_mtu = 0_B};
    needs.relay_delay = 50_ms;
    EXPECT_EQ(headroom_for(needs), 122'071_KiB);  // 125,000,000 octets
    needs.relay_delay = 0_ms;
    needs.response = 100_ms;
    EXPECT_EQ(headroom_for(needs), 122'071_KiB);
}

TEST(Headroom, GrowsWithTheCellOverhead) {
    HeadroomNeeds needs{.cable_millimetres = 0, .mtu = 1024_B, .port_mtu = 1024_B};
    EXPECT_EQ(headroom_for(needs), 2_KiB);
    needs.cell_overhead_128 = 3 * 128;
    EXPECT_EQ(headroom_for(needs), 4_KiB);
}

TEST(Headroom, ASpeedThatTheStandardDoesNotNameTakesTheNext) {
    EXPECT_EQ(hardware_quanta(1_Gbps), 67_quanta);
    EXPECT_EQ(hardware_quanta(50_Gbps), 394_quanta);
    EXPECT_EQ(hardware_quanta(1_Gbps * 1600), 905_quanta);
}

TEST(Headroom, OfTheLongestCableAtTheHighestSpeedDoesNotWrap) {
    const HeadroomNeeds needs{.speed = 1_Gbps * 1600,
                              .cable_millimetres = 1'000'000'000,
                              .response = 100_ms,
                              .cell_overhead_128 = 128 * 200};
    EXPECT_GT(headroom_for(needs).count(), int64_t{1} << 40);
}

// A pause frame takes 84 octets of the wire, and the last frame 6 cells of 256.
TEST(Headroom, InCellsHasWhatTheFormulaLeavesOut) {
    const HeadroomNeeds needs =
        in_cells({.mtu = 1500_B, .port_mtu = 1500_B, .mac_phy = 10_B}, 256_B);
    EXPECT_EQ(needs.mtu, 1536_B);
    EXPECT_EQ(needs.port_mtu, 1500_B);
    EXPECT_EQ(needs.mac_phy, 94_B);
    EXPECT_EQ(needs.cell_overhead_128, worst_cell_overhead_128(256_B));
}

TEST(CellOverhead, IsOfTheFramesThatWasteMost) {
    EXPECT_EQ(worst_cell_overhead_128(1_B), 128);
    EXPECT_EQ(worst_cell_overhead_128(64_B), (128 * 128 + 88) / 89);  // 65 octets in two cells
    EXPECT_EQ(worst_cell_overhead_128(256_B), (256 * 128 + 83) / 84);
}

}  // namespace
}  // namespace sluice
