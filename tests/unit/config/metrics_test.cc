#include "config/metrics.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

TEST(Metrics, NameOtherSwitchesAndWhoMayRead) {
    const auto read = load_text(one_port +
                                    "metrics: {listen: 192.0.2.1:9475,\n"
                                    "  topology: [{name: leaf2, url: http://192.0.2.2:9475}],\n"
                                    "  allow: [http://192.0.2.2:9475, https://noc.example]}\n",
                                "x.yaml");
    ASSERT_TRUE(read);
    ASSERT_EQ(read->metrics.others.size(), 1U);
    EXPECT_EQ(read->metrics.others[0].name, "leaf2");
    EXPECT_EQ(read->metrics.others[0].url, "http://192.0.2.2:9475");
    EXPECT_EQ(read->metrics.allow,
              (std::vector<std::string>{"http://192.0.2.2:9475", "https://noc.example"}));
}

TEST(Metrics, HaveNoMeaningWhereNobodyListens) {
    EXPECT_EQ(faults_of(one_port + "metrics: {allow: [http://a]}\n"),
              Lines{"x.yaml:2:18: metrics.allow: has no meaning without metrics.listen; leave it "
                    "out, or write metrics.listen: 192.0.2.1:9475 or the like"});
    EXPECT_EQ(faults_of(one_port + "metrics: {topology: [{name: a, url: http://a}]}\n").size(), 1U);
    EXPECT_TRUE(faults_of(one_port + "metrics: {topology: [], allow: []}\n").empty());
}

TEST(Metrics, NameEachSwitchOnce) {
    const Lines lines = faults_of(one_port +
                                  "metrics: {listen: 192.0.2.1:9475,\n"
                                  "  topology: [{name: a, url: http://a}, {name: a, url: "
                                  "http://b}, {name: b, url: http://b}]}\n");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(
        lines[0],
        "x.yaml:3:47: metrics.topology[1].name: \"a\" is listed twice; name each switch once");
    EXPECT_TRUE(lines[1].find("metrics.topology[2].url: \"http://b\" is listed twice") !=
                std::string::npos);
}

TEST(Metrics, AnOriginIsAsBrowsersWriteIt) {
    EXPECT_EQ(
        faults_of(one_port + "metrics: {listen: 192.0.2.1:9475, allow: ['http://[::1]:9475']}\n"),
        Lines{"x.yaml:2:43: metrics.allow[0]: \"http://[::1]:9475\" is no origin; write an "
              "origin such as http://192.0.2.1:9475 or https://leaf1.example"});
}

}  // namespace
}  // namespace sluice::config
