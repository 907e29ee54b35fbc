#include "dataplane/egress/dwrr.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

namespace sluice {
namespace {

using namespace literals;

char letter(Priority priority) { return static_cast<char>('a' + 7 - priority); }
Priority priority_of(char letter) { return static_cast<Priority>(7 - (letter - 'a')); }

// Frames of priorities named by letters (7 is a, 0 is h); each has its own sizes.
struct Letters : Dwrr {
    explicit Letters(const std::map<char, uint16_t>& weights) {
        std::array<uint16_t, max_priorities> all{};
        for (const auto& [name, weight] : weights) all[priority_of(name)] = weight;
        configure(all);
    }
    void frames_of(char name, std::function<int(int nth)> octets) {
        size_[priority_of(name)] = std::move(octets);
    }
    Bytes head(Priority priority) const {
        return Bytes(size_[priority] ? size_[priority](taken_[priority]) : 512);
    }
    static PrioritySet set(std::string_view names) {
        PrioritySet priorities = 0;
        for (const char name : names) priorities |= only_priority(priority_of(name));
        return priorities;
    }
    // `backlogged` have frames; of them `eligible` may send.
    char serve(std::string_view eligible, std::string_view backlogged) {
        const Priority priority =
            next(set(eligible), set(backlogged), [this](Priority of) { return head(of); });
        octets_[priority] += head(priority);
        ++taken_[priority];
        return letter(priority);
    }
    std::string serve(std::string_view names, std::size_t turns) {
        std::string schedule;
        while (schedule.size() < turns) schedule += serve(names, names);
        return schedule;
    }
    [[nodiscard]] Bytes octets(char name) const { return octets_[priority_of(name)]; }

  private:
    std::array<std::function<int(int)>, max_priorities> size_;
    std::array<int, max_priorities> taken_{};
    std::array<Bytes, max_priorities> octets_;
};

// A visit is worth 2048 octets a weight: four frames of 512.
TEST(Dwrr, ServesEachItsOctetsARound) {
    EXPECT_EQ(Letters({{'a', 1}, {'b', 1}}).serve("ab", 16), "aaaabbbbaaaabbbb");
    EXPECT_EQ(Letters({{'a', 2}, {'b', 1}}).serve("ab", 24), "aaaaaaaabbbbaaaaaaaabbbb");
}

TEST(Dwrr, LongFramesGainNothing) {
    Letters dwrr({{'a', 1}, {'b', 1}});
    dwrr.frames_of('a', [](int) { return 1024; });
    EXPECT_EQ(dwrr.serve("ab", 12), "aabbbbaabbbb");
}

TEST(Dwrr, WhatIsLeftOverIsKept) {
    Letters dwrr({{'a', 1}, {'b', 1}});
    dwrr.frames_of('a', [](int) { return 1500; });
    // 2048: one, 548 left; 2596: one, 1096 left; 3144: two, 144 left; 2192: one ...
    EXPECT_EQ(dwrr.serve("ab", 21), "abbbbabbbbaabbbbabbbb");
}

TEST(Dwrr, AFrameOfSeveralVisitsGetsItsTurn) {
    Letters dwrr({{'a', 1}, {'b', 1}});
    dwrr.frames_of('a', [](int) { return 9000; });
    const std::string schedule = dwrr.serve("ab", 200);
    EXPECT_NEAR(static_cast<double>(dwrr.octets('a').count()),
                static_cast<double>(dwrr.octets('b').count()), 9000 + 2048);
}

TEST(Dwrr, WhoIsAloneGetsEverything) {
    Letters dwrr({{'c', 1}});
    dwrr.frames_of('c', [](int) { return 9000; });
    EXPECT_EQ(dwrr.serve("c", 5), "ccccc");
}

TEST(Dwrr, WhoHasNoFramesSavesNothing) {
    Letters dwrr({{'a', 1}, {'b', 1}});
    dwrr.serve("ab", 5);   // aaaab: b has 1536 left and no more frames
    dwrr.serve("a", 100);  // for long
    const std::string after = dwrr.serve("ab", 16);
    EXPECT_EQ(std::ranges::count(after, 'b'), 8);
}

// A paused queue is not an empty one: it keeps its deficit until the pause ends.
TEST(Dwrr, WhoIsPausedKeepsWhatWasLeft) {
    Letters dwrr({{'a', 1}, {'b', 1}});
    std::string schedule = dwrr.serve("ab", 6);  // aaaabb
    for (int turn = 0; turn < 4; ++turn) schedule += dwrr.serve("a", "ab");
    EXPECT_EQ(schedule, "aaaabbaaaa");
    EXPECT_EQ(dwrr.serve("ab", 10), "bbbbbbaaaa");
}

// A peer that pauses and resumes all the time ends each visit after a frame. The unused deficits
// must not add up to a burst that keeps other queues waiting.
TEST(Dwrr, ManyPausesSaveOneVisitAtMost) {
    Letters dwrr({{'a', 1}, {'b', 1}});
    for (int pause = 0; pause < 1000; ++pause) {
        dwrr.serve("b", "ab");
        dwrr.serve("a", "ab");
    }
    EXPECT_LE(dwrr.serve("ab", 100).find('a'), 8U);  // two visits of four frames
}

// The bound of the header: over any time in which both are backlogged, by weight, the difference
// is at most one visit and one frame of each.
TEST(Dwrr, SharesAreWithinTheBoundWhateverTheLengths) {
    const std::map<char, uint16_t> weights = {{'a', 1}, {'c', 2}, {'e', 5}, {'h', 9}};
    Letters dwrr(weights);
    const std::array<int, 5> mixed = {64, 1500, 128, 9000, 700};
    dwrr.frames_of('a', [](int) { return 1500; });
    dwrr.frames_of('c', [](int nth) { return nth % 2 == 0 ? 64 : 1522; });
    dwrr.frames_of('e', [&](int nth) { return mixed[static_cast<std::size_t>(nth) % 5]; });
    dwrr.frames_of('h', [](int) { return 64; });
    const int64_t longest = 9000;
    for (int turn = 0; turn < 20'000; ++turn) {
        dwrr.serve("aceh", 1);
        for (const auto& [x, weight_x] : weights) {
            for (const auto& [y, weight_y] : weights) {
                const double normalised_x = static_cast<double>(dwrr.octets(x).count()) / weight_x;
                const double normalised_y = static_cast<double>(dwrr.octets(y).count()) / weight_y;
                const double bound = static_cast<double>(Dwrr::octets_a_weight) +
                                     static_cast<double>(longest) / weight_x +
                                     static_cast<double>(longest) / weight_y;
                ASSERT_LE(std::abs(normalised_x - normalised_y), bound)
                    << x << " and " << y << " after " << turn;
            }
        }
    }
}

}  // namespace
}  // namespace sluice
