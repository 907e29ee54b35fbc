#include "tools/sluice/capture/pcapng.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace sluice::cli {
namespace {

std::string hex_of(const std::string& octets) {
    std::string text;
    for (std::size_t n = 0; n < octets.size(); ++n) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto octet = static_cast<unsigned char>(octets[n]);
        if (n > 0 && n % 4 == 0) text += ' ';
        text += digits[octet >> 4];
        text += digits[octet & 0xF];
    }
    return text;
}

// Worked out by hand from the draft, little endian.
TEST(Pcapng, AFileBeginsWithASection) {
    EXPECT_EQ(hex_of(Pcapng::header()),
              "0a0d0d0a 34000000 4d3c2b1a 01000000 ffffffff ffffffff "
              "04000e00 736c7569 63652063 61707475 72650000 00000000 34000000");
}

TEST(Pcapng, AnInterfaceHasAName) {
    Pcapng pcapng({{"p0", "ring:a"}}, 128);
    EXPECT_EQ(hex_of(pcapng.interface(0)),
              "01000000 34000000 01000000 80000000 02000200 70300000 "
              "03000600 72696e67 3a610000 09000100 09000000 00000000 34000000");
    EXPECT_EQ(pcapng.interface(0), "");  // once
}

TEST(Pcapng, AFrameHasTimeDirectionAndComment) {
    Pcapng pcapng({{"p0", ""}}, 128);
    (void)pcapng.interface(0);
    const std::array<uint8_t, 5> octets{1, 2, 3, 4, 5};
    EXPECT_EQ(hex_of(pcapng.frame({.interface = 0,
                                   .time = 0x0102030405060708,
                                   .length = 60,
                                   .octets = octets,
                                   .inbound = false,
                                   .comment = "lost"})),
              "06000000 3c000000 00000000 04030201 08070605 05000000 3c000000 "
              "01020304 05000000 01000400 6c6f7374 02000400 02000000 00000000 3c000000");
}

TEST(Pcapng, AnInterfaceIsDescribedBeforeItsFirstFrame) {
    Pcapng pcapng({{"p0", ""}, {"p1", ""}}, 128);
    (void)pcapng.interface(1);
    const Pcapng::Frame frame{
        .interface = 0, .time = 0, .length = 0, .octets = {}, .inbound = true, .comment = ""};
    const std::string first = pcapng.frame(frame);
    EXPECT_EQ(hex_of(first.substr(0, 4)), "01000000");
    const std::string second = pcapng.frame(frame);
    EXPECT_EQ(hex_of(second),
              "06000000 2c000000 01000000 00000000 00000000 00000000 00000000 "
              "02000400 01000000 00000000 2c000000");
    EXPECT_EQ(first.substr(first.size() - second.size()), second);
}

TEST(Pcapng, TheEndSaysWhatWasLost) {
    Pcapng pcapng({{"p0", ""}}, 128);
    EXPECT_EQ(pcapng.statistics(0, 1, 2), "");  // of nothing
    (void)pcapng.interface(0);
    const std::string block = hex_of(pcapng.statistics(0x0102030405060708, 7, 3));
    EXPECT_TRUE(block.starts_with("05000000 54000000 00000000 04030201 08070605 01001a00"))
        << block;
    EXPECT_TRUE(
        block.ends_with("07000800 03000000 00000000 08000800 07000000 00000000 "
                        "00000000 54000000"))
        << block;
}

}  // namespace
}  // namespace sluice::cli
