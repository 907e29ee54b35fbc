#include "config/printed.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

TEST(Printed, is_in_the_order_of_the_schema_and_without_comments) {
    EXPECT_EQ(printed("# mine\n"
                      "fabric: {slots: 4, iterations: 1}\n"
                      "ports: [{device: ring:a, name: left, ecn: {3: {high: 2KiB, low: 1KiB, "
                      "probability: 1/2}}}, {device: 'null:'}]\n"
                      "defaults: {lossless: [3, 4], scheduler: {}, vlan: }\n"),
              "defaults:\n"
              "  scheduler: {}\n"
              "  lossless: [3, 4]\n"
              "ports:\n"
              "  - name: left\n"
              "    device: ring:a\n"
              "    ecn:\n"
              "      3:\n"
              "        low: 1KiB\n"
              "        high: 2KiB\n"
              "        probability: 1/2\n"
              "  - device: \"null:\"\n"
              "fabric:\n"
              "  iterations: 1\n"
              "  slots: 4\n");
}

TEST(Printed, quotes_what_yaml_would_take_for_something_else) {
    const std::string text =
        "lldp: {system_name: \"- a: 'b' # \\\\ \\\" , [x] \\u00e9\"}\n" + one_port;
    EXPECT_EQ(printed(text),
              "ports:\n  - device: ring:a\n"
              "lldp:\n  system_name: \"- a: 'b' # \\\\ \\\" , [x] \u00e9\"\n");
    EXPECT_EQ(load_text(printed(text), "x.yaml")->lldp.system_name,
              "- a: 'b' # \\ \" , [x] \u00e9");
}

TEST(Printed, writes_other_switches_and_who_may_read_as_they_are_read) {
    const std::string text = printed(one_port +
                                     "metrics: {allow: ['http://192.0.2.9:9475'], topology: "
                                     "[{url: http://a, name: leaf1}], listen: 127.0.0.1:9475}\n");
    const auto read = load_text(text, "x.yaml");
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->metrics.others.at(0).name, "leaf1");
    EXPECT_EQ(read->metrics.others.at(0).url, "http://a");
    EXPECT_EQ(read->metrics.allow, std::vector<std::string>{"http://192.0.2.9:9475"});
    EXPECT_EQ(printed(text), text);
}

class EveryExample : public testing::TestWithParam<std::string> {};

TEST_P(EveryExample, is_the_same_once_it_is_printed) {
    std::ifstream file(GetParam());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string once = printed(text);
    EXPECT_EQ(faults_of(once), Lines{});
    EXPECT_EQ(printed(once), once);
    EXPECT_NE(once, text);
}

std::vector<std::string> examples() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(CONFIG_FOLDER "/examples")) {
        files.push_back(entry.path());
    }
    return files;
}
INSTANTIATE_TEST_SUITE_P(Files, EveryExample, testing::ValuesIn(examples()));

}  // namespace
}  // namespace sluice::config
