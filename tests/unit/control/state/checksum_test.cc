#include "control/state/checksum.h"

#include <gtest/gtest.h>

namespace sluice::control {
namespace {

TEST(Checksum, is_the_first_key_and_of_all_behind_it) {
    const std::string text = with_checksum(R"({"a": 1})");
    EXPECT_EQ(text.find(R"({"checksum":")"), 0U);
    EXPECT_EQ(checksum_of(text), Checksum::right);
    EXPECT_EQ(checksum_of(text + " "), Checksum::wrong);
    EXPECT_EQ(checksum_of(text.substr(0, text.size() - 1)), Checksum::wrong);
    EXPECT_EQ(checksum_of(text.substr(0, 20)), Checksum::wrong);
    EXPECT_EQ(checksum_of(R"({"a": 1})"), Checksum::missing);
    EXPECT_EQ(checksum_of(""), Checksum::missing);
}

}  // namespace
}  // namespace sluice::control
