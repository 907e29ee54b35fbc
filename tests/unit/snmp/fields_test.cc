#include "tools/snmp/fields.h"

#include <gtest/gtest.h>

namespace sluice::snmp {
namespace {

TEST(Fields, WhatIsOfAnotherKindIsNothing) {
    const Json row = {{"name", "p0"},    {"frames", 7},    {"below", -1},
                      {"null", nullptr}, {"list", {1, 2}}, {"is", true}};
    EXPECT_EQ(text_at(row, "name"), "p0");
    EXPECT_EQ(text_at(row, "frames"), "");
    EXPECT_EQ(number_at(row, "frames"), 7U);
    EXPECT_EQ(number_at(row, "below"), 0U);
    EXPECT_EQ(number_at(row, "null"), 0U);
    EXPECT_EQ(number_at(Json::array(), "frames"), 0U);
    EXPECT_TRUE(truth_at(row, "is"));
    EXPECT_FALSE(truth_at(row, "frames"));
    EXPECT_EQ(list_at(row, "list").size(), 2U);
    EXPECT_TRUE(list_at(row, "name").empty());
    EXPECT_EQ(text_at({{"name", std::string(300, 'x')}}, "name").size(), 255U);
}

TEST(Fields, AddressesAreOctets) {
    EXPECT_EQ(mac_octets(*parse_mac("02:00:00:00:0a:ff")), std::string("\x02\0\0\0\x0a\xff", 6));
    EXPECT_FALSE(parse_mac("leaf1"));
    EXPECT_EQ(ip_octets("192.0.2.1"), std::string("\xC0\0\x02\x01", 4));
    EXPECT_EQ(ip_octets("2001:db8::1")->size(), 16U);
    EXPECT_FALSE(ip_octets("192.0.2"));
}

TEST(Fields, EscapesAreUndone) {
    EXPECT_EQ(unescaped(R"(evil\x1B[2J\xFF\\x41)"), "evil\x1B[2J\xFF\\x41");
    EXPECT_EQ(unescaped(R"(\x4)"), R"(\x4)") << "cut short";
    EXPECT_EQ(unescaped(R"(\xZZ)"), R"(\xZZ)");
}

TEST(Fields, ATextOf255OctetsIsWholeHoweverManyAreEscaped) {
    std::string escaped;
    for (int line = 0; line < 255; ++line) escaped += R"(\x0A)";
    EXPECT_EQ(unescaped_at({{"system_description", escaped}}, "system_description"),
              std::string(255, '\n'));
    EXPECT_EQ(unescaped_at({{"name", escaped + "x"}}, "name").size(), 255U);
    EXPECT_EQ(unescaped_at({{"name", 7}}, "name"), "");
}

}  // namespace
}  // namespace sluice::snmp
