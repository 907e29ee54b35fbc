#include "tools/sluice/fault_json.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

TEST(FaultJson, takes_a_line_of_the_form_apart) {
    const config::Fault fault{.file = "a: b.yaml",
                              .at = {.line = 3, .column = 14},
                              .path = "ports[0].mtu",
                              .what = "\"x\" is not a size",
                              .remedy = "write one; such as 1500"};
    const Json rows = faults_json(config::lines_of({fault}), "a: b.yaml");
    EXPECT_EQ(rows, faults_json({fault}));
    EXPECT_EQ(rows[0].at("line"), 3);
    EXPECT_EQ(rows[0].at("remedy"), "write one; such as 1500");
}

TEST(FaultJson, has_another_line_whole) {
    for (const char* line : {"f:1:2 no", "f:x:2: a: b; c", "f:1:2: a: b", "other:1:2: a: b; c", "f",
                             "", "f:99999999999:1: a: b; c"}) {
        const Json rows = faults_json(std::vector<std::string>{line}, "f");
        ASSERT_EQ(rows.size(), 1U);
        EXPECT_EQ(rows[0].at("message"), line);
        EXPECT_TRUE(rows[0].at("line").is_null()) << line;
    }
}

}  // namespace
}  // namespace sluice::cli
