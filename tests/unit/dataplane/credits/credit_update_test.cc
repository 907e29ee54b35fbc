#include "dataplane/credits/credit_update.h"

#include <gtest/gtest.h>

#include "tests/support/octets.h"

namespace sluice {
namespace {

using namespace literals;
using test::hex;
using test::Octets;

CreditUpdate an_update() {
    CreditUpdate update{.session = 0x11121314,
                        .peer_session = 0x21222324,
                        .number = 0x61626364,
                        .terms = {.lossless = 0b0000'1000, .buffer = 64_KiB, .cell = 256_B},
                        .on_credit = true,
                        .counts = true,
                        .present = 0b1000'1000};
    update.limits[3] = 0x31323334;
    update.consumed[3] = 0x41424344;
    update.limits[7] = 0x51525354;
    update.consumed[7] = 0xFFFFFFFF;
    return update;
}

Octets written(const CreditUpdate& update) {
    std::array<uint8_t, longest_credit_update> octets;
    const std::size_t length = write_credit_update(octets, {0x0200'0000'0007}, update);
    return {octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(length)};
}

TEST(CreditUpdate, IsWrittenAsItsHeaderDrawsIt) {
    Octets expected =
        hex("0180c200000e 020000000007 88b5 534c43524544 01 08 88 03 11121314 21222324 61626364 "
            "00010000 00000100 31323334 41424344 51525354 ffffffff");
    expected.resize(60);
    EXPECT_EQ(written(an_update()), expected);
    EXPECT_TRUE(credit_update_address.is_reserved());
}

TEST(CreditUpdate, IsReadAsItWasWritten) {
    EXPECT_EQ(read_credit_update(written(an_update())), an_update());
    CreditUpdate all = an_update();
    all.terms = {.lossless = 0xFF, .buffer = largest_credit_buffer, .cell = 1_B};
    all.present = 0xFF;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        all.limits[priority] = priority + 1U;
        all.consumed[priority] = priority * 1000U;
    }
    EXPECT_EQ(written(all).size(), longest_credit_update);
    EXPECT_EQ(read_credit_update(written(all)), all);
    CreditUpdate counts = an_update();
    counts.on_credit = false;
    counts.answers = true;
    EXPECT_EQ(read_credit_update(written(counts)), counts);
    counts.leaves = true;
    EXPECT_EQ(read_credit_update(written(counts)), counts);
    CreditUpdate none{.session = 1, .terms = {.buffer = 1_B}};
    EXPECT_EQ(read_credit_update(written(none)), none);
}

TEST(CreditUpdate, AnythingElseIsNone) {
    const Octets whole = written(an_update());
    for (std::size_t cut = 0; cut < 60; ++cut) {
        EXPECT_EQ(read_credit_update(std::span(whole).first(cut)), std::nullopt) << cut;
    }
    EXPECT_TRUE(read_credit_update(std::span(whole).first(60)));
    for (const std::size_t at : {0U, 5U, 12U, 14U, 20U}) {
        Octets other = whole;
        other[at] ^= 0x10;
        EXPECT_EQ(read_credit_update(other), std::nullopt) << at;
    }
    Octets from_a_group = whole;
    from_a_group[6] |= 1;
    EXPECT_EQ(read_credit_update(from_a_group), std::nullopt);
}

TEST(CreditUpdate, WhatDoesNotHoldIsNone) {
    const auto refused = [](auto spoil) {
        CreditUpdate update = an_update();
        spoil(update);
        return read_credit_update(written(update)) == std::nullopt;
    };
    EXPECT_FALSE(refused([](CreditUpdate&) {}));
    EXPECT_TRUE(refused([](CreditUpdate& update) { update.session = 0; }));
    EXPECT_TRUE(refused([](CreditUpdate& update) { update.present = 0b1000'0000; }));
    EXPECT_TRUE(refused([](CreditUpdate& update) { update.terms.cell = 0_B; }));
    EXPECT_TRUE(refused([](CreditUpdate& update) { update.terms.cell = 64_KiB + 1_B; }));
    EXPECT_TRUE(
        refused([](CreditUpdate& update) { update.terms.buffer = largest_credit_buffer + 1_B; }));
}

}  // namespace
}  // namespace sluice
