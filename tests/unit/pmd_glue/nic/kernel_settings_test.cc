#include "pmd_glue/nic/kernel_settings.h"

#include <gtest/gtest.h>

#include "pmd_glue/nic/abilities.h"
#include "tests/unit/pmd_glue/nic/fake_settings.h"

namespace sluice::pmd::nic {
namespace {

constexpr LinkPauses full = {.autoneg = true, .rx = true, .tx = true};

// Settings of a NIC that outlives their user.
class Borrowed final : public NicSettings {
  public:
    explicit Borrowed(FakeSettings& nic) : nic_(nic) {}
    [[nodiscard]] std::string driver() const override { return nic_.driver(); }
    [[nodiscard]] std::string firmware() const override { return nic_.firmware(); }
    [[nodiscard]] std::optional<bool> private_flag(std::string_view name) const override {
        return nic_.private_flag(name);
    }
    bool set_private_flag(std::string_view name, bool value) override {
        return nic_.set_private_flag(name, value);
    }
    [[nodiscard]] std::optional<bool> feature(std::string_view name) const override {
        return nic_.feature(name);
    }
    bool set_feature(std::string_view name, bool value) override {
        return nic_.set_feature(name, value);
    }
    [[nodiscard]] std::optional<LinkPauses> link_pauses() const override {
        return nic_.link_pauses();
    }
    bool set_link_pauses(LinkPauses wanted) override { return nic_.set_link_pauses(wanted); }

  private:
    FakeSettings& nic_;
};

KernelSettings set(FakeSettings& nic, AskedOfNic asked = {}) {
    return {std::make_unique<Borrowed>(nic), "eth1", asked};
}

PauseAbility receive_ability_of(const KernelSettings& settings) {
    return abilities_of_interface(settings.row(), settings.now(), "eth1").are.pfc_rx;
}

TEST(KernelSettings, LinkPausesAreOffWhileAPortIsOpenAndGivenBack) {
    FakeSettings nic("igc");
    nic.pauses = full;
    {
        const KernelSettings settings = set(nic, {.obeys_pauses = false});
        EXPECT_EQ(nic.pauses, LinkPauses{});
        EXPECT_TRUE(settings.changed());
        EXPECT_TRUE(settings.notices().empty());
        EXPECT_EQ(receive_ability_of(settings), PauseAbility::unproven);
    }
    EXPECT_EQ(nic.pauses, full);
}

TEST(KernelSettings, ADriverThatInsistsOnNegotiatingHasNothingToNegotiate) {
    FakeSettings nic("igb");
    nic.pauses = full;
    nic.negotiates_always = true;
    {
        const KernelSettings settings = set(nic);
        EXPECT_EQ(nic.pauses, LinkPauses{.autoneg = true});
    }
    EXPECT_EQ(nic.pauses, full);
}

TEST(KernelSettings, WhatIsRightAlreadyIsLeftAlone) {
    FakeSettings nic("ice");
    nic.pauses = LinkPauses{.autoneg = true};
    nic.flags = {{"fw-lldp-agent", false}};
    {
        const KernelSettings settings = set(nic);
        EXPECT_FALSE(settings.changed());
        nic.pauses = full;  // somebody else's
    }
    EXPECT_EQ(nic.pauses, full);
}

TEST(KernelSettings, RxAllIsOnWherePausesAreToBeObeyed) {
    FakeSettings nic("e1000e");
    nic.features = {{"rx-all", false}};
    {
        const KernelSettings settings = set(nic, {.obeys_pauses = false});
        EXPECT_EQ(nic.features["rx-all"], false);
        EXPECT_EQ(receive_ability_of(settings), PauseAbility::none);
    }
    {
        const KernelSettings settings = set(nic);
        EXPECT_EQ(nic.features["rx-all"], true);
        EXPECT_EQ(receive_ability_of(settings), PauseAbility::unproven);
        ASSERT_EQ(settings.notices().size(), 1U);
        EXPECT_NE(settings.notices()[0].find("wrong checksum are received"), std::string::npos);
    }
    EXPECT_EQ(nic.features["rx-all"], false);
}

// rx-all would let in frames with a wrong checksum, and no pauses.
TEST(KernelSettings, RxAllIsLeftAloneWhereItLetsNoPausesIn) {
    FakeSettings nic("ixgbe");
    nic.features = {{"rx-all", false}};
    const KernelSettings settings = set(nic);
    EXPECT_EQ(nic.features["rx-all"], false);
}

struct Agent {
    const char* driver;
    const char* flag;
    bool stops;
};

TEST(KernelSettings, AnAgentIsStoppedWhereLldpIsReceivedAndStartedAgain) {
    for (const Agent& agent :
         {Agent{"i40e", "disable-fw-lldp", true}, Agent{"ice", "fw-lldp-agent", false}}) {
        FakeSettings nic(agent.driver);
        nic.flags = {{agent.flag, !agent.stops}};
        {
            const KernelSettings settings = set(nic);
            EXPECT_EQ(nic.flags[agent.flag], agent.stops) << agent.driver;
            EXPECT_EQ(abilities_of_interface(settings.row(), settings.now(), "").are.lldp_rx,
                      LldpReception::yes);
        }
        EXPECT_EQ(nic.flags[agent.flag], !agent.stops) << agent.driver;
        const KernelSettings settings = set(nic, {.obeys_pauses = false, .receives_lldp = false});
        EXPECT_EQ(nic.flags[agent.flag], !agent.stops) << agent.driver;
    }
}

// ice's driver lets no pause out while its agent runs; i40e's never does.
TEST(KernelSettings, TheAgentOfIceIsStoppedForPausesToo) {
    constexpr AskedOfNic pauses_alone = {.receives_lldp = false};
    FakeSettings ice("ice");
    ice.flags = {{"fw-lldp-agent", true}};
    {
        const KernelSettings settings = set(ice, pauses_alone);
        EXPECT_EQ(ice.flags["fw-lldp-agent"], false);
    }
    EXPECT_EQ(ice.flags["fw-lldp-agent"], true);
    FakeSettings i40e("i40e");
    i40e.flags = {{"disable-fw-lldp", false}};
    const KernelSettings settings = set(i40e, pauses_alone);
    EXPECT_FALSE(settings.changed());
}

TEST(KernelSettings, WhatIsRefusedIsReportedWithTheCommandAndNotGivenBack) {
    FakeSettings nic("i40e");
    nic.pauses = full;
    nic.flags = {{"disable-fw-lldp", false}};
    nic.refuses = true;
    const KernelSettings settings = set(nic);
    EXPECT_FALSE(settings.changed());
    ASSERT_EQ(settings.notices().size(), 1U);
    EXPECT_NE(settings.notices()[0].find("`ethtool -A eth1 autoneg off rx off tx off`"),
              std::string::npos);
    EXPECT_EQ(receive_ability_of(settings), PauseAbility::none);
}

TEST(KernelSettings, AreGivenBackOnceByWhoHasThemLast) {
    FakeSettings nic("igc");
    nic.pauses = full;
    KernelSettings last;
    EXPECT_FALSE(last.changed());
    last = set(nic);
    EXPECT_EQ(nic.pauses, LinkPauses{});
    last = KernelSettings();
    EXPECT_EQ(nic.pauses, full);
}

}  // namespace
}  // namespace sluice::pmd::nic
