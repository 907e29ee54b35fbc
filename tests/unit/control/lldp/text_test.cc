#include "control/lldp/text.h"

#include <gtest/gtest.h>

#include "tests/unit/control/lldp/frames.h"

namespace sluice::lldp {
namespace {

using namespace std::string_view_literals;
using test::hex;

TEST(Text, keeps_what_can_be_printed) {
    EXPECT_EQ(printable("leaf-1, row 2"), "leaf-1, row 2");
    EXPECT_EQ(printable("Zürich 東京 🙂"), "Zürich 東京 🙂");
    EXPECT_EQ(printable(""), "");
}

TEST(Text, shows_what_would_write_on_a_terminal_as_octets) {
    EXPECT_EQ(printable("\x1B[2J\0gone\r\n"sv), R"(\x1B[2J\x00gone\x0D\x0A)");
    EXPECT_EQ(printable("\x7F"), R"(\x7F)");
    EXPECT_EQ(printable("\xC2\x9B"), R"(\xC2\x9B)");  // CSI in one character
    EXPECT_EQ(printable("a\xE2\x80\xAE"
                        "b"),
              R"(a\xE2\x80\xAEb)");                           // right to left from here
    EXPECT_EQ(printable("\xE2\x80\xA8"), R"(\xE2\x80\xA8)");  // a line's end
    EXPECT_EQ(printable("\xD8\x9C"), R"(\xD8\x9C)");          // an Arabic letter's direction
}

// Vendors pad strings to a length of their own.
TEST(Text, leaves_out_nuls_at_the_end) {
    EXPECT_EQ(printable("leaf\0\0\0"sv), "leaf");
    EXPECT_EQ(printable("\0\0"sv), "");
    EXPECT_EQ(printable("a\0b\0"sv), R"(a\x00b)");
    EXPECT_EQ(port_text(hex("05 6574683000 00")), "eth0");
}

TEST(Text, a_name_cannot_pass_for_an_escaped_one) {
    EXPECT_EQ(printable(R"(a\x1B)"), R"(a\\x1B)");
    EXPECT_EQ(printable("\x1B"), R"(\x1B)");
}

TEST(Text, shows_what_is_no_utf_8_as_octets) {
    EXPECT_EQ(printable("\xFF\xFE"), R"(\xFF\xFE)");
    EXPECT_EQ(printable("caf\xE9"), R"(caf\xE9)");
    EXPECT_EQ(printable("\xE6\x9D"), R"(\xE6\x9D)");                  // cut short
    EXPECT_EQ(printable("\xC0\xAF"), R"(\xC0\xAF)");                  // more octets than it takes
    EXPECT_EQ(printable("\xED\xA0\x80"), R"(\xED\xA0\x80)");          // half a surrogate pair
    EXPECT_EQ(printable("\xF4\x90\x80\x80"), R"(\xF4\x90\x80\x80)");  // above U+10FFFF
}

TEST(Text, shows_ids_as_their_kind_is_written) {
    EXPECT_EQ(chassis_text(hex("04 0200000000FF")), "02:00:00:00:00:ff");
    EXPECT_EQ(chassis_text(hex("05 01 C0000201")), "192.0.2.1");
    EXPECT_EQ(chassis_text(hex("05 02 20010DB8000000000000000000000001")), "2001:db8::1");
    EXPECT_EQ(chassis_text(hex("05 09 0102")), "01:02");
    EXPECT_EQ(chassis_text(hex("07 6C650066")), R"(le\x00f)");
    EXPECT_EQ(port_text(hex("03 0200000000FF")), "02:00:00:00:00:ff");
    EXPECT_EQ(port_text(hex("05 65746830")), "eth0");
    EXPECT_EQ(port_text(hex("04 01")), R"(\x01)");
}

TEST(Text, names_the_kinds_of_ids) {
    EXPECT_EQ(chassis_id_subtype_name(hex("04 01")), "mac_address");
    EXPECT_EQ(chassis_id_subtype_name(hex("07 01")), "local");
    EXPECT_EQ(port_id_subtype_name(hex("05 01")), "interface_name");
    EXPECT_EQ(port_id_subtype_name(hex("00 01")), "reserved");
    EXPECT_EQ(port_id_subtype_name(hex("FF 01")), "reserved");
}

}  // namespace
}  // namespace sluice::lldp
