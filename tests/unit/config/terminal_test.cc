#include "config/terminal.h"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

TEST(Terminal, WhatFitsStaysAsItIs) {
    EXPECT_EQ(hanging("", 40), "");
    EXPECT_EQ(hanging("one\n\n  two  three\n", 40), "one\n\n  two  three\n");
    EXPECT_EQ(hanging(std::string(200, 'x') + '\n', unlimited_width), std::string(200, 'x') + '\n');
}

TEST(Terminal, ATextGoesOnBelowItsLastColumn) {
    EXPECT_EQ(hanging("  --port  TEXT  a text of many words, which goes on\nnext", 40),
              "  --port  TEXT  a text of many words,\n"
              "                which goes on\n"
              "next");
}

TEST(Terminal, ATextGoesOnBelowTheFirstColumnWhereTheLastHasNoRoom) {
    EXPECT_EQ(hanging("  an option of a long name      what it is for, in words", 40),
              "  an option of a long name      what it\n"
              "  is for, in words");
}

TEST(Terminal, ALetterIsNotCut) {
    EXPECT_EQ(pieces_of("caf\xC3\xA9s", 4), (std::vector<std::string>{"caf", "\xC3\xA9s"}));
}

TEST(Terminal, ATerminalWithoutRoomBreaksLinesItself) {
    EXPECT_EQ(hanging("    many words that do not fit at all", 20),
              "    many words that do not fit at all");
}

}  // namespace
}  // namespace sluice::config
