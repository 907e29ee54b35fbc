#include "control/proof/proofs.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice::control {
namespace {

using enum PauseAbility;

Circumstances nic(std::string device = "pci:0000:03:00.0") {
    return {.device = std::move(device),
            .address = "02:00:00:00:00:01",
            .driver = "net_ixgbe",
            .firmware = "0x800",
            .system = "DPDK 22.11",
            .settings = "flow control off"};
}

constexpr Seen receives{.receives = true};
constexpr Seen sends{.sends = true};

TEST(Proofs, WhatWasSeenEndsWhatIsNotKnown) {
    const PortAbilities found{.are = {unproven, unproven, LldpReception::unknown},
                              .pfc_rx_why = "of rx",
                              .pfc_tx_why = "of tx",
                              .lldp_rx_why = "of lldp"};
    const PortAbilities half = proved(found, receives);
    EXPECT_EQ(half.are, (Abilities{software, unproven, LldpReception::unknown}));
    EXPECT_EQ(half.pfc_rx_why, "");
    EXPECT_EQ(half.pfc_tx_why, "of tx");
    const PortAbilities all = proved(found, {true, true, true});
    EXPECT_EQ(all.are, (Abilities{software, software, LldpReception::yes}));
    EXPECT_EQ(all.pfc_tx_why + all.lldp_rx_why, "");
}

TEST(Proofs, WhatIsKnownNotToBeStaysSo) {
    const PortAbilities never{.are = {none, none, LldpReception::swallowed}, .pfc_tx_why = "why"};
    EXPECT_EQ(proved(never, {true, true, true}).are, never.are);
    EXPECT_EQ(proved(never, {true, true, true}).pfc_tx_why, "why");
}

TEST(Proofs, HoldUnderTheSameCircumstancesAlone) {
    Proofs proofs;
    EXPECT_TRUE(proofs.add(nic(), receives));
    EXPECT_EQ(proofs.of(nic()), receives);
    for (std::string Circumstances::*part :
         {&Circumstances::device, &Circumstances::address, &Circumstances::driver,
          &Circumstances::firmware, &Circumstances::system, &Circumstances::settings}) {
        Circumstances other = nic();
        other.*part += " or another";
        EXPECT_EQ(proofs.of(other), Seen{}) << other.*part;
    }
    EXPECT_EQ(proofs.of_device(nic().device), receives);
    EXPECT_EQ(proofs.of_device("pci:0000:04:00.0"), Seen{});
}

TEST(Proofs, AddUpAndAreNewsOnce) {
    Proofs proofs;
    EXPECT_FALSE(proofs.add(nic(), {}));
    EXPECT_TRUE(proofs.add(nic(), receives));
    EXPECT_FALSE(proofs.add(nic(), receives));
    EXPECT_TRUE(proofs.add(nic(), sends));
    EXPECT_EQ(proofs.of(nic()), (Seen{.receives = true, .sends = true}));
    Circumstances updated = nic();
    updated.firmware = "0x900";
    EXPECT_TRUE(proofs.add(updated, sends));
    EXPECT_EQ(proofs.of(updated), sends) << "of before nothing is left";
    EXPECT_EQ(proofs.all().size(), 1U);
}

TEST(Proofs, OfWhatNobodyKnowsAgainAreNotKept) {
    Proofs proofs;
    Circumstances nameless = nic();
    nameless.driver.clear();
    EXPECT_FALSE(proofs.add(nameless, receives));
    Circumstances endless = nic();
    endless.settings = std::string(5000, 'x');
    EXPECT_FALSE(proofs.add(endless, receives));
    EXPECT_TRUE(proofs.all().empty());
}

TEST(Proofs, AreSoManyAndTheOldestGoes) {
    Proofs proofs;
    for (std::size_t number = 0; number <= most_proofs; ++number) {
        EXPECT_TRUE(proofs.add(nic(std::to_string(number)), receives));
    }
    EXPECT_EQ(proofs.all().size(), most_proofs);
    EXPECT_EQ(proofs.of_device("0"), Seen{});
    EXPECT_EQ(proofs.of_device("1"), receives);
    const auto read = Proofs::read(proofs.text());
    ASSERT_TRUE(read);
    EXPECT_TRUE(std::ranges::equal(read->all(), proofs.all()));
}

std::string with(const std::string& row, const std::string& head = R"("version": 1)") {
    return "{" + head + R"(, "proofs": [)" + row + "]}";
}
const std::string whole =
    R"({"device": "d", "address": "a", "driver": "n", "firmware": "", "system": "", )"
    R"("settings": "", "hears_pauses": true, "sends_pauses": false, "hears_lldp": false})";

TEST(Proofs, AnyBitThatFlipsIsFound) {
    Proofs proofs;
    proofs.add(nic("1"), receives);
    std::string text = proofs.text();
    for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
        const auto mask = static_cast<char>(1 << bit % 8);
        text[bit / 8] ^= mask;
        EXPECT_FALSE(Proofs::read(text)) << bit / 8 << ' ' << text;
        text[bit / 8] ^= mask;
    }
    EXPECT_TRUE(Proofs::read(text));
}

TEST(Proofs, AreReadWholeOrNotAtAll) {
    ASSERT_TRUE(Proofs::read(with("")));
    ASSERT_TRUE(Proofs::read(with(whole)));
    EXPECT_EQ(Proofs::read(with(whole))->of_device("d"), receives);
    EXPECT_FALSE(Proofs::read(""));
    EXPECT_FALSE(Proofs::read("[]"));
    EXPECT_FALSE(Proofs::read(with(whole).substr(1)));
    EXPECT_FALSE(Proofs::read(with(whole, R"("version": 2)")));
    EXPECT_FALSE(Proofs::read(with(whole, R"("version": 1, "more": 1)")));
    EXPECT_FALSE(Proofs::read(with(whole + "," + whole))) << "the same device twice";
    EXPECT_FALSE(Proofs::read(with("1")));
    const auto changed = [](std::string_view from, std::string_view to) {
        std::string row = whole;
        row.replace(row.find(from), from.size(), to);
        return Proofs::read(with(row)).has_value();
    };
    EXPECT_TRUE(changed(R"("device": "d")", R"("device": "e")"));
    EXPECT_FALSE(changed(R"("device": "d")", R"("device": "")"));
    EXPECT_FALSE(changed(R"("driver": "n")", R"("driver": "")"));
    EXPECT_FALSE(changed(R"("device": "d")", R"("device": 1)"));
    EXPECT_FALSE(changed(R"("device": "d", )", ""));
    EXPECT_FALSE(changed(R"("device": "d")", R"("device": "d", "more": 1)"));
    EXPECT_FALSE(changed("true", "1"));
    EXPECT_FALSE(changed(R"("firmware": "")", R"("firmware": ")" + std::string(2000, 'x') + "\""));
    EXPECT_FALSE(Proofs::read(with(whole) + std::string(longest_proofs, ' ')));
}

}  // namespace
}  // namespace sluice::control
