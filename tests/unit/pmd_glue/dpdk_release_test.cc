#include "pmd_glue/dpdk_release.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace sluice::pmd {
namespace {

TEST(DpdkRelease, IsOrderedByYearAndThenByMonth) {
    EXPECT_LT((Release{22, 11}), (Release{24, 3}));
    EXPECT_LT((Release{25, 3}), (Release{25, 11}));
    EXPECT_EQ((Release{24, 11}), (Release{24, 11}));
}

TEST(DpdkRelease, TheLibrariesAreNotOlderThanTheHeaders) {
    EXPECT_GE(running_release(), built_with);
    EXPECT_LT(running_release(), (Release{built_with.year + 2, built_with.month}))
        << "an ABI lasts for a year";
}

TEST(DpdkRelease, ATableTakesNumbersUnlessTheirNamesAreWrong) {
    const std::unique_ptr<rte_tel_data, decltype(&rte_tel_data_free)> table(rte_tel_data_alloc(),
                                                                            rte_tel_data_free);
    ASSERT_NE(table, nullptr);
    ASSERT_EQ(rte_tel_data_start_dict(table.get()), 0);
    EXPECT_EQ(add_number(table.get(), "frames", 18446744073709551615U), 0);
    EXPECT_NE(add_number(table.get(), "no such: name", 1), 0);
    // The value is no list.
    EXPECT_NE(rte_tel_data_add_array_int(table.get(), 1), 0);
}

}  // namespace
}  // namespace sluice::pmd
