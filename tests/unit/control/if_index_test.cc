#include "control/if_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace sluice::control {
namespace {

TEST(IfIndex, StaysWhateverElseThereIs) {
    const uint32_t alone = if_indices({"host1"}).at("host1");
    EXPECT_EQ(alone, if_indices({"a", "host0", "host1", "z"}).at("host1"));
    EXPECT_EQ(alone, 13'195'201U) << "graphs of years hang on it";
}

TEST(IfIndex, IsAboveThoseOfLinuxAndFitsACompactSample) {
    for (int n = 0; n < 1000; ++n) {
        const uint32_t index = hashed_if_index("port" + std::to_string(n));
        EXPECT_GE(index, 1U << 23);
        EXPECT_LT(index, 1U << 24);
    }
}

// Two names with one hash, found by trying.
TEST(IfIndex, IsOneNamesAlone) {
    std::map<uint32_t, std::string> known;
    for (int n = 0;; ++n) {
        ASSERT_LT(n, 100'000);
        const std::string name = std::to_string(n);
        const auto [first, added] = known.emplace(hashed_if_index(name), name);
        if (added) continue;
        const auto& [earlier, later] = std::minmax(first->second, name);
        const IfIndices indices = if_indices({first->second, name});
        EXPECT_EQ(indices.at(earlier), first->first);
        EXPECT_EQ(indices.at(later), first->first + 1);
        return;
    }
}

struct NamedPort {
    std::string name;
    std::string aggregation;
    bool vacant = false;
};

TEST(IfIndex, AggregationsHaveOneAndVacantPlacesNone) {
    const IfIndices indices = if_indices_of(
        std::vector<NamedPort>{{"p0", "bond"}, {"p1", "bond"}, {"p2", ""}, {"gone", "", true}});
    EXPECT_EQ(indices.size(), 4U);
    EXPECT_TRUE(indices.contains("bond"));
    EXPECT_FALSE(indices.contains("gone"));
}

}  // namespace
}  // namespace sluice::control
