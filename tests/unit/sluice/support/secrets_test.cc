#include "tools/sluice/support/secrets.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

TEST(Secrets, are_left_out_with_all_that_follows) {
    EXPECT_EQ(without_secrets("metrics:\n  token: abc\n  listen: here\n"),
              "metrics:\n  token: LEFT_OUT\n  listen: here\n");
    EXPECT_EQ(without_secrets("metrics: {Bearer_Token: 'abc', listen: here}\nports: []\n"),
              "metrics: {Bearer_Token: LEFT_OUT}\nports: []\n");
    EXPECT_EQ(without_secrets("tokens:\n  - abc\n  - def\nports: []\n"),
              "tokens: LEFT_OUT\nports: []\n");
    EXPECT_EQ(without_secrets("- \"password\" : |\n    abc\n- {name: p0}\n"),
              "- \"password\" : LEFT_OUT\n- {name: p0}\n");
    EXPECT_EQ(without_secrets("it.yaml:1:2: metrics.token: \"abc\" is wrong; write another\n"),
              "it.yaml:1:2: metrics.token: LEFT_OUT\n");
}

TEST(Secrets, may_stand_in_comments) {
    EXPECT_EQ(without_secrets("# abc\nports: []  # abc\nname: \"a # b\"\n"),
              "ports: []\nname: \"a # b\"\n");
    EXPECT_EQ(without_secrets("description: the lab's port  # abc\n"),
              "description: the lab's port\n");
}

TEST(Secrets, leave_the_rest_as_it_is) {
    const std::string text = "ports:\n  - name: token\n    device: ring:a\n";
    EXPECT_EQ(without_secrets(text), text);
    EXPECT_EQ(without_secrets(""), "");
}

}  // namespace
}  // namespace sluice::cli
