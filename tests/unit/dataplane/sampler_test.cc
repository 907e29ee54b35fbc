#include "dataplane/types/sampler.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice {
namespace {

std::vector<std::size_t> picks(Sampler& sampler, std::size_t frames) {
    std::vector<std::size_t> places;
    sampler.pick(frames, [&](std::size_t at) { places.push_back(at); });
    return places;
}

TEST(Sampler, of_one_in_one_is_everything) {
    Sampler sampler(1);
    EXPECT_FALSE(sampler.is_on());
    sampler.configure(1);
    EXPECT_TRUE(sampler.is_on());
    EXPECT_EQ(picks(sampler, 3), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(picks(sampler, 0), std::vector<std::size_t>{});
    EXPECT_EQ(picks(sampler, 1), std::vector<std::size_t>{0});
}

TEST(Sampler, picks_the_same_however_frames_are_cut_into_bursts) {
    Sampler whole(7);
    Sampler cut(7);
    whole.configure(10);
    cut.configure(10);
    const std::vector<std::size_t> expected = picks(whole, 10'000);
    std::vector<std::size_t> found;
    for (std::size_t from = 0, length = 1; from < 10'000;
         from += length, length = length % 64 + 1) {
        length = std::min<std::size_t>(length, 10'000 - from);
        for (const std::size_t at : picks(cut, length)) found.push_back(from + at);
    }
    EXPECT_EQ(found, expected);
}

TEST(Sampler, picks_one_in_so_many_and_each_place_of_a_period_alike) {
    Sampler sampler(3);
    sampler.configure(100);
    constexpr std::size_t frames = 4'000'000;
    std::vector<std::size_t> of_place(100);
    std::size_t all = 0;
    for (const std::size_t at : picks(sampler, frames)) {
        ++of_place[at % of_place.size()];
        ++all;
    }
    EXPECT_NEAR(static_cast<double>(all), 40'000, 400);
    for (const std::size_t count : of_place) EXPECT_NEAR(static_cast<double>(count), 400, 120);
}

TEST(Sampler, goes_on_where_it_was_when_given_the_same_again) {
    Sampler sampler(1);
    sampler.configure(1000);
    Sampler other = sampler;
    EXPECT_EQ(picks(sampler, 500).size() + picks(sampler, 5000).size(), picks(other, 5500).size());
    sampler.configure(1000);
    EXPECT_EQ(picks(sampler, 1000), picks(other, 1000));
}

}  // namespace
}  // namespace sluice
