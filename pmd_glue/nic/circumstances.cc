#include "pmd_glue/nic/circumstances.h"

#include <rte_ethdev.h>
#include <sys/utsname.h>

#include <array>
#include <optional>

#include "pmd_glue/eal.h"

namespace sluice::pmd::nic {
namespace {

std::string text_of(MacAddress address) {
    rte_ether_addr own{};
    write_address(own.addr_bytes, address);
    std::array<char, RTE_ETHER_ADDR_FMT_SIZE> text{};
    rte_ether_format_addr(text.data(), text.size(), &own);
    return text.data();
}

std::string text_of(const FlowControl& flow_control) {
    if (!flow_control.known) return {};
    return std::string("flow control ") + (flow_control.off ? "off" : "on") + ", MAC control " +
           (flow_control.forwards ? "forwarded" : "not forwarded");
}

std::string text_of(const DriverRow& row, const NicSettings& settings) {
    std::string text;
    const auto add = [&](std::string_view name, std::optional<bool> is) {
        if (!is) return;
        text += (text.empty() ? "" : ", ") + std::string(name) + (*is ? " on" : " off");
    };
    if (const auto pauses = settings.link_pauses()) {
        add("802.3x rx", pauses->rx);
        add("802.3x tx", pauses->tx);
    }
    add("rx-all", settings.feature("rx-all"));
    if (!row.flag.name.empty()) add(row.flag.name, settings.private_flag(row.flag.name));
    return text;
}

}  // namespace

MacAddress address_of(uint16_t ethdev) {
    rte_ether_addr own{};
    rte_eth_macaddr_get(ethdev, &own);
    return read_address(own.addr_bytes);
}

Circumstances circumstances_of_ethdev(uint16_t ethdev, std::string_view driver,
                                      std::string_view firmware, const FlowControl& flow_control) {
    return {.address = text_of(address_of(ethdev)),
            .driver = std::string(driver),
            .firmware = std::string(firmware),
            .system = std::string(dpdk_version()),
            .settings = text_of(flow_control)};
}

Circumstances circumstances_of_interface(MacAddress own, const DriverRow& row,
                                         const NicSettings& settings) {
    utsname system{};
    ::uname(&system);
    return {.address = text_of(own),
            .driver = settings.driver(),
            .firmware = settings.firmware(),
            .system = std::string(system.sysname) + " " + system.release,
            .settings = text_of(row, settings)};
}

}  // namespace sluice::pmd::nic
