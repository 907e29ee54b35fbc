#include "pmd_glue/nic/abilities.h"

#include <gtest/gtest.h>
#include <algorithm>

#include <algorithm>

#include "tests/unit/pmd_glue/nic/fake_settings.h"

namespace sluice::pmd::nic {
namespace {

using enum PauseAbility;

FoundAbilities abilities_of(const FakeSettings& settings) {
    return abilities_of_interface(row_of(kernel_drivers(), settings.driver()), settings, "eth1");
}

struct KernelDriver {
    const char* driver;
    PauseAbility pfc_rx;
    PauseAbility pfc_tx;
    LldpReception lldp_rx;
};

class EveryKernelDriver : public testing::TestWithParam<KernelDriver> {};

// The settings are as the driver leaves them: none has been changed.
TEST_P(EveryKernelDriver, IsWhatItsSourceSays) {
    const FoundAbilities found = abilities_of(FakeSettings(GetParam().driver));
    EXPECT_EQ(found.are, (Abilities{GetParam().pfc_rx, GetParam().pfc_tx, GetParam().lldp_rx}))
        << name_of(found.are.pfc_rx) << ' ' << name_of(found.are.pfc_tx) << ' '
        << name_of(found.are.lldp_rx);
    EXPECT_EQ(found.pfc_rx_why.empty(), found.are.pfc_rx == software);
    EXPECT_EQ(found.pfc_tx_why.empty(), found.are.pfc_tx == software);
    EXPECT_EQ(found.lldp_rx_why.empty(), found.are.lldp_rx == LldpReception::yes);
}

constexpr KernelDriver kernel[] = {
    {"veth", software, software, LldpReception::yes},
    {"tun", software, software, LldpReception::yes},
    {"ixgbe", none, unproven, LldpReception::yes},
    {"ixgbevf", unproven, unproven, LldpReception::unknown},
    {"i40e", unproven, none, LldpReception::unknown},
    {"ice", unproven, none, LldpReception::unknown},
    {"iavf", unproven, none, LldpReception::unknown},
    {"igb", none, unproven, LldpReception::yes},
    {"e1000e", none, unproven, LldpReception::yes},
    {"igc", unproven, unproven, LldpReception::yes},
    {"mlx5_core", unproven, unproven, LldpReception::unknown},
    {"bnxt_en", unproven, unproven, LldpReception::unknown},
    {"ena", unproven, unproven, LldpReception::unknown},
    {"virtio_net", unproven, unproven, LldpReception::unknown},
    {"vmxnet3", unproven, unproven, LldpReception::unknown},
    {"of_tomorrow", unproven, unproven, LldpReception::unknown},
    {"", unproven, unproven, LldpReception::unknown},
};
INSTANTIATE_TEST_SUITE_P(Drivers, EveryKernelDriver, testing::ValuesIn(kernel),
                         [](const auto& each) {
                             const std::string name = each.param.driver;
                             return name.empty() ? "that_is_not_told" : name;
                         });

TEST(Abilities, EveryRowOfTheKernelsIsLookedAt) {
    for (const DriverRow& row : kernel_drivers()) {
        EXPECT_TRUE(std::ranges::any_of(kernel, [&](const KernelDriver& each) {
            return each.driver == row.name;
        })) << row.name;
        EXPECT_FALSE(row.source.empty()) << row.name;
    }
}

TEST(Abilities, WhatObeysPausesKeepsThem) {
    FakeSettings igc("igc");
    igc.pauses = LinkPauses{.autoneg = true, .rx = true, .tx = true};
    EXPECT_EQ(abilities_of(igc).are.pfc_rx, none);
    EXPECT_NE(abilities_of(igc).pfc_rx_why.find("`ethtool -A eth1 autoneg off rx off tx off`"),
              std::string::npos);
    igc.pauses = LinkPauses{.tx = true};
    EXPECT_EQ(abilities_of(igc).are.pfc_rx, unproven);
}

TEST(Abilities, RxAllLetsPausesInWhereItIsOn) {
    FakeSettings igb("igb");
    igb.features = {{"rx-all", true}};
    EXPECT_EQ(abilities_of(igb).are.pfc_rx, unproven);
    igb.features = {{"rx-all", false}};
    EXPECT_EQ(abilities_of(igb).are.pfc_rx, none);
}

TEST(Abilities, AnAgentInFirmwareIsSeenByItsPrivateFlag) {
    FakeSettings i40e("i40e");
    i40e.flags = {{"disable-fw-lldp", true}};
    EXPECT_EQ(abilities_of(i40e).are.lldp_rx, LldpReception::yes);
    i40e.flags = {{"disable-fw-lldp", false}};
    EXPECT_EQ(abilities_of(i40e).are.lldp_rx, LldpReception::swallowed);
    EXPECT_NE(
        abilities_of(i40e).lldp_rx_why.find("`ethtool --set-priv-flags eth1 disable-fw-lldp on`"),
        std::string::npos);
    FakeSettings ice("ice");
    ice.flags = {{"fw-lldp-agent", false}};
    EXPECT_EQ(abilities_of(ice).are.lldp_rx, LldpReception::yes);
    ice.flags = {{"fw-lldp-agent", true}};
    EXPECT_EQ(abilities_of(ice).are.lldp_rx, LldpReception::swallowed);
    EXPECT_NE(
        abilities_of(ice).lldp_rx_why.find("`ethtool --set-priv-flags eth1 fw-lldp-agent off`"),
        std::string::npos);
}

TEST(Abilities, PausesOfIceLeaveWhileItsAgentIsStopped) {
    FakeSettings ice("ice");
    ice.flags = {{"fw-lldp-agent", false}};
    EXPECT_EQ(abilities_of(ice).are.pfc_tx, unproven);
    EXPECT_NE(abilities_of(ice).pfc_tx_why.find("not yet observed"), std::string::npos);
    ice.flags = {{"fw-lldp-agent", true}};
    EXPECT_EQ(abilities_of(ice).are.pfc_tx, none);
    EXPECT_NE(
        abilities_of(ice).pfc_tx_why.find("`ethtool --set-priv-flags eth1 fw-lldp-agent off`"),
        std::string::npos);
    // A driver too old to have the switch, or in safe mode.
    ice.flags = {};
    EXPECT_EQ(abilities_of(ice).are.pfc_tx, none);
}

struct Nvm {
    const char* version;
    uint16_t device;
    LldpReception expected;
};

// A name of i40e's is `6.01 0x800035cf 1.1747.0`.
TEST(Abilities, TheVersionOfAFirmwareDecidesWhetherItsAgentIsStopped) {
    constexpr uint16_t x710 = 0x1572;
    constexpr uint16_t x722 = 0x37D0;
    for (const Nvm& nvm : std::initializer_list<Nvm>{
             {"6.01 0x800035cf 1.1747.0", x710, LldpReception::yes},
             {"9.20 0x8000d8bd", x710, LldpReception::yes},
             {"6.00 0x80003000", x710, LldpReception::swallowed},
             {"5.05 0x80002927", x710, LldpReception::swallowed},
             {"3.33 0x80001006", x722, LldpReception::yes},
             {"3.32 0x80001006", x722, LldpReception::swallowed},
             {"3.33 0x80001006", x710, LldpReception::swallowed},
             {"", x710, LldpReception::unknown},
             {"nan", x710, LldpReception::unknown},
             {"1e300", x710, LldpReception::unknown},
             {"of a vendor", x710, LldpReception::unknown},
         }) {
        const DriverRow& row = row_of(ethdev_drivers(), "net_i40e");
        EXPECT_EQ(abilities_of_ethdev(row, {}, {nvm.version, nvm.device}).are.lldp_rx, nvm.expected)
            << nvm.version;
    }
}

// Holds on any machine: an interface that does not exist has no properties.
TEST(Abilities, OfAnInterfaceThatIsNotThereNothingIsKnown) {
    const auto gone = ethtool_settings("no_such_if");
    EXPECT_EQ(gone->driver(), "");
    EXPECT_EQ(gone->private_flag("disable-fw-lldp"), std::nullopt);
    EXPECT_EQ(gone->feature("rx-all"), std::nullopt);
    EXPECT_EQ(gone->link_pauses(), std::nullopt);
    EXPECT_FALSE(gone->set_feature("rx-all", true));
    EXPECT_FALSE(gone->set_private_flag("disable-fw-lldp", true));
    EXPECT_FALSE(gone->set_link_pauses({}));
}

// Holds on every machine.
TEST(Abilities, TheKernelReportsFeaturesByTheirNames) {
    const auto loop = ethtool_settings("lo");
    EXPECT_EQ(loop->feature("rx-all"), std::nullopt);
    EXPECT_TRUE(loop->feature("loopback").value_or(false));
}

}  // namespace
}  // namespace sluice::pmd::nic
