#include "config/yaml/suggestion.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace sluice::config {
namespace {

constexpr std::array<std::string_view, 6> keys = {"device", "mtu",  "speed",
                                                  "rate",   "cell", "promiscuous"};

TEST(Suggestion, IsTheNearestWord) {
    EXPECT_EQ(nearest("devise", keys), "device");
    EXPECT_EQ(nearest("mut", keys), "mtu");  // two letters swapped are one mistake
    EXPECT_EQ(nearest("promiscous", keys), "promiscuous");
    EXPECT_EQ(nearest("promiskuus", keys), "promiscuous");
    EXPECT_EQ(nearest("rates", keys), "rate");
    EXPECT_EQ(nearest("Speed", keys), "speed");
}

TEST(Suggestion, IsNotMadeForAnotherWord) {
    EXPECT_EQ(nearest("colour", keys), std::nullopt);
    EXPECT_EQ(nearest("", keys), std::nullopt);
    EXPECT_EQ(nearest("x", keys), std::nullopt);
    EXPECT_EQ(nearest(std::string(100'000, 'm'), keys), std::nullopt);
}

TEST(Suggestion, IsTheFirstOfTwoAsNear) {
    EXPECT_EQ(nearest("ce", keys), std::nullopt);
    constexpr std::array<std::string_view, 2> twins = {"rule", "role"};
    EXPECT_EQ(nearest("rxle", twins), "rule");
}

}  // namespace
}  // namespace sluice::config
