#include "config/fault.h"

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

}  // namespace
}  // namespace sluice::config
