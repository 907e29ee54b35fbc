#include "config/yaml/fault.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

TEST(Fault, IsOneLine) {
    const Fault fault{.file = "switch.yaml",
                      .at = {.line = 3, .column = 7},
                      .path = "ports[2].mtu",
                      .what = "is odd",
                      .remedy = "make it even"};
    EXPECT_EQ(to_string(fault), "switch.yaml:3:7: ports[2].mtu: is odd; make it even");
}

TEST(Fault, QuotesWithoutLettingTheFileWriteOnATerminal) {
    EXPECT_EQ(in_quotes("veth0"), "\"veth0\"");
    EXPECT_EQ(in_quotes("a\n\x1B[2J\x7F"), "\"a\\x0A\\x1B[2J\\x7F\"");
    EXPECT_EQ(in_quotes("\xC2\x9B"), "\"\\xC2\\x9B\"");  // a control sequence introducer in UTF-8
    EXPECT_EQ(in_quotes("grün"), "\"grün\"");
}

TEST(Fault, QuotesUpToFortyOctetsAndWholeCharacters) {
    EXPECT_EQ(in_quotes(std::string(40, 'a')), '"' + std::string(40, 'a') + '"');
    EXPECT_EQ(in_quotes(std::string(41, 'a')), '"' + std::string(40, 'a') + "...\"");
    EXPECT_EQ(in_quotes(std::string(39, 'a') + "ü!"), '"' + std::string(39, 'a') + "...\"");
}

TEST(Report, KeepsTheOrderOfTheFileAndEachFaultOnce) {
    Report report("x.yaml");
    report.add({5, 1}, "b", "second", "mend it");
    report.add({2, 9}, "a", "first", "mend it");
    report.add({5, 1}, "b", "second", "mend it");
    report.add({5, 1}, "b", "third", "mend it");
    EXPECT_FALSE(report.clean());
    EXPECT_EQ(lines_of(report.take()),
              (Lines{"x.yaml:2:9: a: first; mend it", "x.yaml:5:1: b: second; mend it",
                     "x.yaml:5:1: b: third; mend it"}));
    EXPECT_TRUE(report.clean());
}

TEST(Report, KeepsAHundredAndSaysThatThereAreMore) {
    Report report("x.yaml");
    const auto add = [&](int line) { report.add({line, 1}, "a", "is wrong", "mend it"); };
    for (int line = 100; line > 0; --line) add(line);
    add(50);  // the same again
    EXPECT_FALSE(report.full());
    EXPECT_EQ(report.take().size(), 100U);
    for (int line = 101; line > 0; --line) add(line);
    EXPECT_TRUE(report.full());
    const Lines lines = lines_of(report.take());
    ASSERT_EQ(lines.size(), 101U);
    EXPECT_EQ(lines[0], "x.yaml:2:1: a: is wrong; mend it");
    EXPECT_EQ(lines[99], "x.yaml:101:1: a: is wrong; mend it");
    EXPECT_EQ(lines[100],
              "x.yaml:101:1: file: has more faults than these; correct them, and the rest is read");
    EXPECT_FALSE(report.full());
}

}  // namespace
}  // namespace sluice::config
