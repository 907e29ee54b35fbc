#include "control/watch/move_watch.h"

#include <gtest/gtest.h>

namespace sluice::control {
namespace {

using std::chrono::seconds;

RefusedMove move_of(uint64_t station, PortIndex port = 2, PortIndex known = 1) {
    return {Fdb::key_of(1, {0x020000000000 | station}), known, port, false};
}

class Moves {
  public:
    // Returns the moves reported in that second, by number of the station, and how many more there
    // were.
    std::string at(int second, const std::vector<RefusedMove>& moves) {
        const auto report = watch_.look(moves, MoveWatch::Time(seconds(1000 + second)));
        std::string text;
        for (const RefusedMove& move : report.moves) {
            text +=
                std::to_string(move.address().bits & 0xFF) + "@" + std::to_string(move.port) + " ";
        }
        if (report.beyond != 0) text += "+" + std::to_string(report.beyond);
        return text;
    }

  private:
    MoveWatch watch_;
};

TEST(MoveWatch, ReportsAnAddressAtAPortOnceAMinute) {
    Moves moves;
    EXPECT_EQ(moves.at(0, {}), "");
    EXPECT_EQ(moves.at(1, {move_of(7), move_of(7)}), "7@2 ");
    EXPECT_EQ(moves.at(2, {move_of(7)}), "");
    EXPECT_EQ(moves.at(3, {move_of(7, 3), move_of(8)}), "7@3 8@2 ");
    EXPECT_EQ(moves.at(60, {move_of(7)}), "");
    EXPECT_EQ(moves.at(61, {move_of(7)}), "7@2 ");
}

TEST(MoveWatch, CountsThoseBeyondItsBound) {
    Moves moves;
    std::vector<RefusedMove> many;
    for (uint64_t station = 0; station < 20; ++station) many.push_back(move_of(station));
    const std::string first = moves.at(0, many);
    EXPECT_NE(first.find("15@2 +4"), std::string::npos) << first;
    EXPECT_EQ(first.find("16@2"), std::string::npos) << first;
    EXPECT_EQ(moves.at(1, many), "") << "it was said";
    EXPECT_EQ(moves.at(59, {move_of(99)}), "");
    EXPECT_EQ(moves.at(61, {move_of(99)}), "99@2 ");
}

TEST(MoveWatch, KnowsAVirtualRouter) {
    EXPECT_TRUE(is_virtual_router({0x00005E000133}));
    EXPECT_TRUE(is_virtual_router({0x00005E0002FF}));
    EXPECT_FALSE(is_virtual_router({0x00005E000333}));
    EXPECT_FALSE(is_virtual_router({0x02005E000133}));
}

}  // namespace
}  // namespace sluice::control
