// Every row of the table against a device that does as its class does (test_nic.h): what a port
// says that it can is what happens on its cable.
#include "pmd_glue/nic/ethdev.h"

#include <gtest/gtest.h>
#include <rte_ethdev.h>
#include <algorithm>

#include "dataplane/types/address.h"
#include "pmd_glue/nic/driver_table.h"
#include "tests/unit/pmd_glue/environment.h"
#include "tests/unit/pmd_glue/nic/test_nic.h"

namespace sluice::pmd::nic {
namespace {

constexpr uint64_t pause_group = 0x0180C2000001;
constexpr uint64_t lldp_group = 0x0180C200000E;

bool is_virtual(const DriverRow& row) { return row.pause_reception == PauseReception::always; }

// The near end has the examined driver; the far end passes all frames.
class Cable {
  public:
    explicit Cable(const std::string& driver, const std::string& more = "", bool promiscuous = true)
        : near_(open_port("vdev:" + driver + "_near,wire=w" + more, *pool_, promiscuous)),
          far_(open_port("vdev:net_virtio_far,wire=w,end=b", *pool_)) {}

    [[nodiscard]] const FoundAbilities& abilities() const { return near_->abilities(); }
    [[nodiscard]] std::vector<std::string> notices() const { return near_->notices(); }
    [[nodiscard]] bool hears_pause() { return passes(*far_, *near_, pause_group, 0x8808); }
    [[nodiscard]] bool sends_pause() { return passes(*near_, *far_, pause_group, 0x8808); }
    [[nodiscard]] bool receives_lldp() { return passes(*far_, *near_, lldp_group, 0x88CC); }
    [[nodiscard]] bool hears_data() { return passes(*far_, *near_, 0x020000000009, 0x0800); }
    // True if a frame that the switch made reaches the far end; a frame that the device refuses
    // does not.
    [[nodiscard]] bool sends_made(uint64_t destination, uint16_t type) {
        const Frame frame = made(destination, type);
        if (!near_->bursts().transmit_generated(frame)) free_frames(*pool_, std::span(&frame, 1));
        return !receive_all(*far_, *pool_).empty();
    }
    [[nodiscard]] bool has_pause_queue() const { return near_->has_pause_queue(); }
    ~Cable() {
        near_.reset();
        far_.reset();
        EXPECT_EQ(pool_->available(), pool_->size()) << "buffers were lost";
    }

  private:
    Frame made(uint64_t destination, uint16_t type) {
        Frame frame;
        EXPECT_TRUE(pool_->allocate(std::span(&frame, 1), 60));
        std::fill_n(frame.data, 60, uint8_t{0});
        write_address(frame.data, {destination});
        write_16(frame.data + 12, type);
        return frame;
    }
    bool passes(Port& from, Port& to, uint64_t destination, uint16_t type) {
        const Frame frame = made(destination, type);
        EXPECT_EQ(from.bursts().transmit(std::span(&frame, 1)), 1U);
        return !receive_all(to, *pool_).empty();
    }

    std::unique_ptr<Pool> pool_ = make_pool();
    std::unique_ptr<Port> near_;
    std::unique_ptr<Port> far_;
};

TEST(Ethdev, ReportsUnderWhatCircumstancesThatHolds) {
    const auto pool = make_pool();
    const auto tell = [&](const std::string& more) {
        return open_port("vdev:net_i40e_x,wire=w" + more, *pool)->circumstances();
    };
    const Circumstances usual = tell("");
    EXPECT_EQ(usual.driver, "net_i40e");
    EXPECT_EQ(usual.address, "02:00:00:00:00:01");
    EXPECT_EQ(usual.firmware, "6.01 0x800035cf 1.1747.0");
    EXPECT_EQ(usual.system.find("DPDK "), 0U) << usual.system;
    EXPECT_EQ(usual.settings, "flow control off, MAC control forwarded");
    EXPECT_EQ(tell(",firmware=7.00").firmware, "7.00");
    EXPECT_EQ(tell(",obeys=always").settings, "flow control on, MAC control forwarded");
    EXPECT_EQ(tell(",end=b").address, "02:00:00:00:00:02");
    EXPECT_EQ(open_port("ring:circumstances", *pool)->circumstances().driver, "");
}

class EveryDriver : public testing::TestWithParam<test_nic::Class> {};

TEST_P(EveryDriver, SaysOfAPortWhatHappensOnItsCable) {
    const DriverRow& row = row_of(ethdev_drivers(), GetParam().driver);
    ASSERT_EQ(row.name, GetParam().driver);
    Cable cable{std::string(row.name)};
    const Abilities can = cable.abilities().are;
    EXPECT_TRUE(cable.hears_data());

    const bool hears = cable.hears_pause();
    EXPECT_NE(can.pfc_rx, PauseAbility::software) << "not yet observed";
    if (can.pfc_rx == PauseAbility::none) {
        EXPECT_FALSE(hears);
    }
    if (row.pause_reception == PauseReception::forwarded) {
        EXPECT_EQ(can.pfc_rx, PauseAbility::unproven) << cable.abilities().pfc_rx_why;
        EXPECT_TRUE(hears);
    }
    const bool sends = cable.sends_pause();
    EXPECT_NE(can.pfc_tx, PauseAbility::software) << "not yet observed";
    EXPECT_EQ(can.pfc_tx == PauseAbility::none, row.pause_transmission == PauseTransmission::never);
    if (can.pfc_tx == PauseAbility::none) {
        EXPECT_FALSE(sends);
    }
    if (row.pause_transmission == PauseTransmission::unfiltered) {
        EXPECT_TRUE(sends);
    }

    const bool lldp = cable.receives_lldp();
    if (can.lldp_rx == LldpReception::yes) {
        EXPECT_TRUE(lldp);
    }
    if (can.lldp_rx == LldpReception::swallowed) {
        EXPECT_FALSE(lldp);
    }
    EXPECT_EQ(cable.abilities().lldp_rx_why.empty(), can.lldp_rx == LldpReception::yes);
    EXPECT_FALSE(cable.abilities().pfc_rx_why.empty());
    EXPECT_FALSE(cable.abilities().pfc_tx_why.empty());
}

INSTANTIATE_TEST_SUITE_P(Drivers, EveryDriver, testing::ValuesIn(test_nic::classes()),
                         [](const auto& each) { return std::string(each.param.driver); });

TEST(Ethdev, EveryRowOfHardwareHasItsTestNic) {
    for (const DriverRow& row : ethdev_drivers()) {
        const auto of_row = [&](const test_nic::Class& each) { return each.driver == row.name; };
        EXPECT_NE(std::ranges::any_of(test_nic::classes(), of_row), is_virtual(row)) << row.name;
        EXPECT_FALSE(row.source.empty()) << row.name;
    }
}

TEST(Ethdev, WhatKeepsObeyingPausesKeepsThem) {
    Cable cable("net_i40e", ",obeys=always");
    EXPECT_EQ(cable.abilities().are.pfc_rx, PauseAbility::none);
    EXPECT_NE(cable.abilities().pfc_rx_why.find("flow control stays on"), std::string::npos);
    EXPECT_FALSE(cable.hears_pause());
}

TEST(Ethdev, WhatStopsToObeyOnceItsLinkIsThereIsWaitedFor) {
    for (const char* link : {"", ",link=down"}) {
        Cable cable("net_e1000_em", ",settles=late" + std::string(link));
        EXPECT_EQ(cable.abilities().are.pfc_rx, PauseAbility::unproven)
            << cable.abilities().pfc_rx_why;
        EXPECT_EQ(cable.hears_pause(), *link == 0);
    }
}

TEST(Ethdev, WhatReportsThatItDoesNotForwardIsBelieved) {
    Cable cable("net_ixgbe", ",forwards=never");
    EXPECT_EQ(cable.abilities().are.pfc_rx, PauseAbility::none);
    EXPECT_FALSE(cable.hears_pause());
}

// Otherwise the NIC would obey its peer unasked, and report nothing.
TEST(Ethdev, WhatRefusesToForwardIsStillSetToObeyNone) {
    for (const char* driver : {"net_hns3", "mlx5_pci", "net_e1000_igb"}) {
        const Cable cable(driver);
        uint16_t ethdev = 0;
        ASSERT_EQ(rte_eth_dev_get_port_by_name((std::string(driver) + "_near").c_str(), &ethdev),
                  0);
        rte_eth_fc_conf now{};
        ASSERT_EQ(rte_eth_dev_flow_ctrl_get(ethdev, &now), 0);
        EXPECT_EQ(now.mode, RTE_ETH_FC_NONE) << driver;
    }
}

// LLDP and group addresses are received all the same.
TEST(Ethdev, WhatIsNotPromiscuousTakesEveryGroup) {
    Cable cable("net_ixgbe", "", false);
    EXPECT_TRUE(cable.receives_lldp());
    EXPECT_FALSE(cable.hears_data());
    EXPECT_TRUE(cable.notices().empty());
}

TEST(Ethdev, WhatCannotTakeEveryGroupIsReportedWhereItMatters) {
    Cable cable("net_ena", "", false);
    EXPECT_FALSE(cable.receives_lldp());
    ASSERT_EQ(cable.notices().size(), 1U);
    EXPECT_NE(cable.notices()[0].find("write promiscuous: true"), std::string::npos);
}

TEST(Ethdev, WhatIsPromiscuousNeedNotTakeGroups) {
    Cable cable("net_ena");
    EXPECT_TRUE(cable.receives_lldp());
    EXPECT_TRUE(cable.notices().empty());
}

TEST(Ethdev, OldFirmwareTakesLldp) {
    Cable cable("net_i40e", ",firmware=5.05 0x80002927,agent=on");
    EXPECT_EQ(cable.abilities().are.lldp_rx, LldpReception::swallowed);
    EXPECT_NE(cable.abilities().lldp_rx_why.find("nvmupdate64e"), std::string::npos);
    EXPECT_FALSE(cable.receives_lldp());
}

// --- pauses on their way out --------------------------------------------------------------------

TEST(Ethdev, APausePassesDataThatItsNicDoesNotGetRidOf) {
    for (const char* driver : {"net_ixgbe", "net_ice", "net_e1000_igb", "net_igc"}) {
        Cable cable(driver, ",full=first");
        EXPECT_TRUE(cable.has_pause_queue()) << driver;
        EXPECT_TRUE(cable.sends_made(pause_group, 0x8808)) << driver;
        EXPECT_FALSE(cable.sends_made(0x020000000009, 0x0800)) << driver;
        EXPECT_FALSE(cable.sends_made(lldp_group, 0x88CC)) << "LLDP can wait";
        EXPECT_FALSE(cable.sends_made(0x020000000009, 0x8808)) << "no pause, and forwarded";
    }
}

TEST(Ethdev, WhereThereIsOneQueuePausesWaitForTheirTurn) {
    for (const char* driver : {"net_ixgbe", "net_e1000_em", "net_virtio"}) {
        for (const bool full : {true, false}) {
            Cable cable(driver, full ? ",senders=1,full=first" : ",senders=1");
            EXPECT_FALSE(cable.has_pause_queue()) << driver;
            EXPECT_EQ(cable.sends_made(pause_group, 0x8808), !full) << driver;
        }
    }
}

TEST(Ethdev, WhatHasQueuesInPairsOnlyIsOpenedWithAPair) {
    Cable cable("net_ixgbe", ",paired=yes");
    EXPECT_FALSE(cable.has_pause_queue());
    EXPECT_TRUE(cable.sends_made(pause_group, 0x8808));
}

TEST(Ethdev, APauseQueueIsOpenedWhereItsRowSaysSo) {
    for (const test_nic::Class& each : test_nic::classes()) {
        const Cable cable{std::string(each.driver)};
        const DriverRow& row = row_of(ethdev_drivers(), each.driver);
        EXPECT_EQ(cable.has_pause_queue(), row.has_pause_queue) << each.driver;
    }
}

TEST(Ethdev, VirtualDevicesKeepNothing) {
    const auto pool = make_pool();
    for (const char* device : {"ring:abilities", "null:"}) {
        const auto port = open_port(device, *pool);
        EXPECT_EQ(port->abilities().are, Abilities{}) << device;
        EXPECT_EQ(port->abilities().pfc_rx_why, "");
        EXPECT_FALSE(port->has_pause_queue()) << device;
    }
}

}  // namespace
}  // namespace sluice::pmd::nic
