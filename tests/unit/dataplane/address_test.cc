#include "dataplane/types/address.h"

#include <gtest/gtest.h>

#include <array>

namespace sluice {
namespace {

TEST(MacAddress, ReadsAndWritesTheFirstOctetFirst) {
    const std::array<uint8_t, 6> wire = {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB};
    EXPECT_EQ(read_address(wire.data()).bits, 0x0123'4567'89ABU);
    std::array<uint8_t, 6> written{};
    write_address(written.data(), {0x0123'4567'89AB});
    EXPECT_EQ(written, wire);
}

TEST(MacAddress, TheLowestBitOfTheFirstOctetMakesAGroup) {
    EXPECT_TRUE(MacAddress{0xFFFF'FFFF'FFFF}.is_group());
    EXPECT_TRUE(MacAddress{0x0100'5E00'0001}.is_group());
    EXPECT_FALSE(MacAddress{0x0200'0000'0001}.is_group());
    EXPECT_FALSE(MacAddress{0xFEFF'FFFF'FFFF}.is_group());
}

TEST(MacAddress, SixteenAddressesAreReserved) {
    for (uint64_t last = 0; last < 16; ++last) {
        EXPECT_TRUE(MacAddress{0x0180'C200'0000 + last}.is_reserved()) << last;
    }
    EXPECT_FALSE(MacAddress{0x0180'C200'0010}.is_reserved());
    EXPECT_FALSE(MacAddress{0x0180'C1FF'FFFF}.is_reserved());
    EXPECT_FALSE(MacAddress{0x0080'C200'0000}.is_reserved());
    EXPECT_TRUE(mac_control_address.is_reserved());
    EXPECT_TRUE(lldp_address.is_reserved());
}

TEST(MacAddress, SixteenBitFieldsAreBigEndian) {
    std::array<uint8_t, 2> wire{};
    write_16(wire.data(), 0x8808);
    EXPECT_EQ(wire, (std::array<uint8_t, 2>{0x88, 0x08}));
    EXPECT_EQ(read_16(wire.data()), 0x8808);
}

}  // namespace
}  // namespace sluice
