#include "config/edit/completion.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace sluice::config {
namespace {

std::string joined_by_spaces(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

Node running() {
    Report report("running");
    return read_document("ports: [{device: a}, {name: leaf.1, device: b}]\nvlans: [{id: 10}]\n",
                         report)
        .value_or(Node{});
}

std::string after(std::string_view start) {
    return joined_by_spaces(path_completions(start, running()));
}

TEST(Completion, goes_on_one_step_and_says_where_more_follows) {
    EXPECT_EQ(after("fab"), "fabric.");
    EXPECT_EQ(after("fabric.it"), "fabric.iterations");
    EXPECT_EQ(after("defaults.pfc.watchdog.det"), "defaults.pfc.watchdog.detection");
    EXPECT_EQ(after("defaults.ecn.3.lo"), "defaults.ecn.3.low");
    EXPECT_EQ(after("nothing"), "");
    EXPECT_EQ(after("fabric.nothing"), "");
}

TEST(Completion, names_what_runs) {
    EXPECT_EQ(after("ports."), "ports.p0. ports.leaf.1.");
    EXPECT_EQ(after("ports.leaf.1.na"), "ports.leaf.1.name");
    EXPECT_EQ(after("vlans."), "vlans.10.");
    EXPECT_EQ(after("defaults.ecn."),
              "defaults.ecn.0. defaults.ecn.1. defaults.ecn.2. defaults.ecn.3. defaults.ecn.4. "
              "defaults.ecn.5. defaults.ecn.6. defaults.ecn.7.");
}

TEST(Completion, knows_the_words_of_a_choice) {
    EXPECT_EQ(joined_by_spaces(value_completions("defaults.pfc.trigger", running())),
              "ingress egress");
    EXPECT_EQ(joined_by_spaces(value_completions("telemetry", running())), "true false");
    EXPECT_EQ(joined_by_spaces(value_completions("fabric.iterations", running())), "");
    EXPECT_EQ(joined_by_spaces(value_completions("no.key", running())), "");
}

}  // namespace
}  // namespace sluice::config
