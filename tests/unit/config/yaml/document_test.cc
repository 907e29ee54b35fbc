#include "config/yaml/document.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

using Kind = Node::Kind;

Lines document_faults(std::string_view text) {
    Report report("x.yaml");
    read_document(text, report);
    return lines_of(report.take());
}

std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t count = 0; count < times; ++count) all += text;
    return all;
}

TEST(Document, IsATreeWithPositions) {
    Report report("x.yaml");
    const auto root = read_document("# comment\na: 1\nb:\n  - x\n  - {c: 'y z'}\nd:\n", report);
    ASSERT_TRUE(root.has_value());
    EXPECT_TRUE(report.clean());
    ASSERT_EQ(root->kind, Kind::map);
    ASSERT_EQ(root->keys.size(), 3U);
    EXPECT_EQ(root->keys[1].text, "b");
    EXPECT_EQ(root->keys[1].at, (Position{3, 1}));
    EXPECT_EQ(root->items[0].text, "1");
    EXPECT_EQ(root->items[0].at, (Position{2, 4}));
    const Node& list = root->items[1];
    ASSERT_EQ(list.kind, Kind::list);
    EXPECT_EQ(list.items[1].items[0].text, "y z");
    EXPECT_EQ(list.items[1].items[0].at, (Position{5, 9}));
    EXPECT_EQ(root->items[2].kind, Kind::nothing);
}

TEST(Document, MayBeEmpty) {
    for (const std::string text : {"", "\n\n", "# only a comment\n", "---\n", "\xEF\xBB\xBF"}) {
        Report report("x.yaml");
        const auto root = read_document(text, report);
        ASSERT_TRUE(root.has_value()) << text;
        EXPECT_EQ(root->kind, Kind::nothing) << text;
        EXPECT_TRUE(report.clean()) << text;
    }
}

TEST(Document, ReportsWhereItIsNotYaml) {
    const std::string remedy =
        "; correct the indentation, brackets, quotes or colons here or just above";
    EXPECT_EQ(document_faults("a: [1, 2\n"),
              Lines{"x.yaml:1:9: file: is not YAML: end of sequence flow not found" + remedy});
    EXPECT_EQ(document_faults("a:\n\t- 1\n"),
              Lines{"x.yaml:2:2: file: is not YAML: illegal block entry" + remedy});
    EXPECT_EQ(document_faults("a: b: c\n"),
              Lines{"x.yaml:1:5: file: is not YAML: illegal map value" + remedy});
    EXPECT_EQ(document_faults("a: 'open\n"),
              Lines{"x.yaml:1:9: file: is not YAML: illegal EOF in scalar" + remedy});
    // yaml-cpp 0.8 and later read it as the end of a line, and put an anchor's name behind its
    // fault.
    const Lines escaped = document_faults("a: \"\\\r\"\n");
    if (!escaped.empty()) {
        EXPECT_EQ(escaped,
                  Lines{"x.yaml:1:7: file: is not YAML: unknown escape character: \\x0D" + remedy});
    }
    const std::string unknown =
        "x.yaml:1:4: file: is not YAML: the referenced anchor is not defined";
    const Lines anchor = document_faults("a: *b\n");
    EXPECT_TRUE(anchor == Lines{unknown + remedy} || anchor == Lines{unknown + ": b" + remedy})
        << anchor.front();
}

TEST(Document, IsText) {
    const std::string remedy = "; remove it, a file holds only text, tabs and line ends";
    EXPECT_EQ(document_faults(std::string("a: 1\nb: \0\n", 10)),
              Lines{"x.yaml:2:4: file: control character in octet 0x00" + remedy});
    EXPECT_EQ(document_faults("a: 1\x04\nb: 2\n"),  // yaml-cpp would stop reading here
              Lines{"x.yaml:1:5: file: control character in octet 0x04" + remedy});
    EXPECT_EQ(document_faults("\xC2\x9B"),
              Lines{"x.yaml:1:1: file: control character in octet 0xC2" + remedy});
    EXPECT_EQ(document_faults("a: grün\r\nb:\t1\r\n"), Lines{});
}

TEST(Document, IsUtf8) {
    for (const std::string octets :
         {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xE2\x82",
          "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF\xFE"}) {
        const Lines faults = document_faults("a: " + octets);
        ASSERT_EQ(faults.size(), 1U);
        EXPECT_NE(faults[0].find("x.yaml:1:4: file: octet 0x"), std::string::npos) << faults[0];
        EXPECT_NE(faults[0].find(" is not UTF-8; save the file as UTF-8 text"), std::string::npos);
    }
    EXPECT_EQ(document_faults("a: ü€\xED\x9F\xBF\xEE\x80\x80\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF"),
              Lines{});
}

TEST(Document, HasNoAliasesSoAFewLinesStayAFewLines) {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
    for (int level = 1; level < 9; ++level) {
        bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}]\n", level, level - 1);
    }
    const Lines faults = document_faults(bomb);
    ASSERT_EQ(faults.size(), 16U);
    EXPECT_EQ(
        faults[1],
        "x.yaml:2:15: a1[1]: aliases are not read; write the value out, or once under defaults");
    EXPECT_EQ(document_faults("a: &a [*a]").size(), 1U);  // one that holds itself
    EXPECT_EQ(document_faults("a: &a {b: 1}\nc: {<<: *a}").size(), 1U);
}

TEST(Document, HasNoTags) {
    EXPECT_EQ(
        document_faults("a: !!int 3\nb: !x {c: 1}\n"),
        (Lines{"x.yaml:1:4: a: the tag \"tag:yaml.org,2002:int\" is not read; write the value "
               "without a tag",
               "x.yaml:2:4: b: the tag \"!x\" is not read; write the value without a tag"}));
}

TEST(Document, HasWordsForKeys) {
    EXPECT_EQ(document_faults("? [a, b]\n: 1\n"),
              Lines{"x.yaml:1:3: file: a key is not a word; write `key: value`"});
    EXPECT_EQ(document_faults("\"\": 1\n"),
              Lines{"x.yaml:1:1: file: a key is not a word; write `key: value`"});
    EXPECT_EQ(document_faults("a: {~: 1}\n"),
              Lines{"x.yaml:1:5: a: a key is not a word; write `key: value`"});
}

TEST(Document, IsNotDeep) {
    EXPECT_EQ(document_faults(repeated("[", 16) + repeated("]", 16)), Lines{});
    const std::string fault =
        "file: is nested deeper than 16 levels; write it flat, no key needs more than 5";
    EXPECT_EQ(document_faults(repeated("[", 17) + repeated("]", 17)),
              Lines{"x.yaml:1:17: " + fault});
    for (const std::string open : {"[", "{", "{a: ", "- ", "? ", "[{", "- ? "}) {
        EXPECT_EQ(document_faults(repeated(open, 100'000 / open.size())).size(), 1U) << open;
    }
}

TEST(Document, IsOne) {
    EXPECT_EQ(document_faults("a: 1\n---\nb: 2\n"),
              Lines{"x.yaml:2:1: file: a second document starts here; keep one document a file"});
    EXPECT_EQ(document_faults("---\na: 1\n...\n"), Lines{});
}

TEST(Document, IsAMebibyteAtTheMost) {
    const std::string comment = "#" + std::string(largest_file - 1, 'x');
    EXPECT_EQ(document_faults(comment), Lines{});
    EXPECT_EQ(document_faults(comment + "x"),
              Lines{"x.yaml:1:1: file: is larger than 1 MiB; name a configuration, not data"});
}

}  // namespace
}  // namespace sluice::config
