#include "pmd_glue/nic/ethdev.h"

#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <array>
#include <cerrno>
#include <fstream>
#include <string_view>

#include "dataplane/types/limits.h"
#include "pmd_glue/nic/driver_table.h"
#include "pmd_glue/nic/flow_control.h"

namespace sluice::pmd::nic {
namespace {

Firmware firmware_of(uint16_t ethdev, const std::string& pci_address) {
    Firmware found;
    std::array<char, 128> version{};
    if (rte_eth_dev_fw_version_get(ethdev, version.data(), version.size()) == 0) {
        found.version = version.data();
    }
    found.pci_device = pci_device(pci_address);
    return found;
}

}  // namespace

uint16_t pci_device(const std::string& pci_address) {
    uint16_t number = 0;
    std::ifstream("/sys/bus/pci/devices/" + pci_address + "/device") >> std::hex >> number;
    return number;
}

FoundEthdev set_and_ask_ethdev(uint16_t ethdev, const std::string& pci_address, bool by_queue) {
    rte_eth_dev_info info{};
    const bool known = rte_eth_dev_info_get(ethdev, &info) == 0 && info.driver_name != nullptr;
    const std::string_view driver = known ? info.driver_name : std::string_view();
    const DriverRow& row = row_of(ethdev_drivers(), driver);
    // A device without hardware needs no queries.
    if (row.pause_reception == PauseReception::always) {
        FoundAbilities found = abilities_of_ethdev(row, {}, {});
        if (by_queue) find_by_queue(row, found);
        return {std::move(found), {}};
    }
    if (by_queue) {
        const Firmware firmware = firmware_of(ethdev, pci_address);
        FoundAbilities found = abilities_of_ethdev(row, {}, firmware);
        find_by_queue(row, found);
        Circumstances are = circumstances_of_ethdev(ethdev, driver, firmware.version, {});
        are.settings = "a queue a priority, with PFC of its own";
        return {std::move(found), std::move(are)};
    }
    const FlowControl flow_control = leave_pauses_to_software(ethdev);
    const Firmware firmware = firmware_of(ethdev, pci_address);
    return {abilities_of_ethdev(row, flow_control, firmware),
            circumstances_of_ethdev(ethdev, driver, firmware.version, flow_control)};
}

Taking take_frames(uint16_t ethdev, bool promiscuous) {
    return {.of_all = promiscuous ? rte_eth_promiscuous_enable(ethdev)
                                  : rte_eth_promiscuous_disable(ethdev),
            .of_groups = rte_eth_allmulticast_enable(ethdev)};
}

std::string missing_from(const Taking& taking, bool promiscuous, bool is_hardware) {
    const auto failed = [&](int result) {
        return result != 0 && (is_hardware || result != -ENOTSUP);
    };
    const bool takes_all = promiscuous && !failed(taking.of_all);
    if (promiscuous && !takes_all) {
        return std::string("promiscuous mode cannot be set (") + rte_strerror(-taking.of_all) +
               "), so frames for stations at other ports are not received";
    }
    if (takes_all || !failed(taking.of_groups)) return {};
    return std::string("it is not promiscuous, and all-multicast mode cannot be set (") +
           rte_strerror(-taking.of_groups) +
           "), so LLDP, DCBX and multicast may not be received; write promiscuous: true";
}

}  // namespace sluice::pmd::nic
