#include "control/dcbx/compatible.h"

#include <gtest/gtest.h>

#include "control/dcbx/recommend.h"

namespace sluice::dcbx {
namespace {

using enum Selection;
using enum Selector;

TEST(Compatible, EtsByWhoSharesWithWhomNotByNumbers) {
    const Ets one{.class_of = {0, 0, 0, 1, 0, 0, 2, 2},
                  .bandwidth = {40, 60},
                  .selection = {ets, ets, strict}};
    const Ets renumbered{.class_of = {3, 3, 3, 5, 3, 3, 7, 6},
                         .bandwidth = {0, 0, 0, 10, 0, 90},
                         .selection = {ets, ets, ets, ets, ets, ets, strict, strict}};
    EXPECT_TRUE(compatible_ets(one, renumbered));
    Ets other = one;
    other.class_of[4] = 1;
    EXPECT_FALSE(compatible_ets(one, other)) << "4 shares with 3";
    other = one;
    other.selection[1] = strict;
    EXPECT_FALSE(compatible_ets(one, other)) << "3 is strict";
}

TEST(Compatible, ApplicationsUnlessOneHasOtherPriorities) {
    const ApplicationTable one = {{ether_type, 0x8906, 3}, {tcp, 3260, 4}};
    EXPECT_TRUE(compatible_applications(one, {}));
    EXPECT_TRUE(compatible_applications(one, {{ether_type, 0x8914, 5}, {tcp, 3260, 4}}));
    EXPECT_FALSE(compatible_applications(one, {{ether_type, 0x8906, 4}}));
    EXPECT_FALSE(compatible_applications({{ether_type, 0x8906, 4}}, one));
    EXPECT_TRUE(compatible_applications(one, {{udp, 3260, 5}})) << "another one";
    EXPECT_FALSE(compatible_applications(one, {{tcp_or_udp, 3260, 5}}));
    EXPECT_TRUE(compatible_applications(one, {{tcp_or_udp, 3260, 4}}));
}

TEST(Recommend, WhatPrioritiesHaveTogetherInThePeersGroups) {
    const Ets local{.class_of = {0, 0, 0, 1, 2, 2, 7, 7},
                    .bandwidth = {30, 50, 20},
                    .selection = {ets, ets, ets}};
    EXPECT_EQ(recommended_bandwidth(local, local), (PerClass{30, 50, 20}));
    const Ets peer{.class_of = {0, 1, 1, 1, 1, 1, 1, 1}, .selection = {ets, ets}};
    EXPECT_EQ(recommended_bandwidth(local, peer), (PerClass{10, 90}));
}

TEST(Recommend, AlwaysMakesAHundred) {
    const Ets thirds{.class_of = {0, 0, 0, 7, 7, 7, 7, 7}, .bandwidth = {100}, .selection = {ets}};
    const Ets peer{.class_of = {0, 1, 2, 7, 7, 7, 7, 7}, .selection = {ets, ets, ets}};
    EXPECT_EQ(recommended_bandwidth(thirds, peer), (PerClass{34, 33, 33}));
}

TEST(Recommend, NothingWhereNothingIsShared) {
    const Ets strict_alone{};
    const Ets shared{.bandwidth = {100}, .selection = {ets}};
    EXPECT_FALSE(recommended_bandwidth(strict_alone, shared));
    EXPECT_FALSE(recommended_bandwidth(shared, strict_alone));
}

}  // namespace
}  // namespace sluice::dcbx
