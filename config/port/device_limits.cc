#include "config/port/device_limits.h"

#include <fmt/format.h>

#include <string_view>

#include "config/port/device_words.h"
#include "config/port/retry.h"

namespace sluice::config {
namespace {

constexpr std::size_t longest_name = 15;  // IFNAMSIZ

// DPDK's net_af_packet turns service tags into customer tags
// (findings/dpdk-af-packet-is-no-wire.sh). The switch's own driver, `af_packet:`, keeps service
// tags.
void check_service_tags(const Value& port, Report& report) {
    const Value& device = port["device"];
    const Value& tpid = port["vlan"]["tpid"];
    if (!tpid.valid || tpid.text != "0x88A8") return;
    if (scheme_of(device.text) != "vdev" || !target_of(device.text).starts_with("net_af_packet")) {
        return;
    }
    report.add(tpid.at, tpid.path,
               "DPDK's net_af_packet turns provider tags (802.1ad) into customer tags",
               "leave it out, or open the interface with af_packet:");
}

}  // namespace

void check_device_limits(const Value& file, Report& report) {
    const Value* by_xdp = nullptr;
    for (const Value& port : file["ports"].items) {
        const Value& device = port["device"];
        if (!device.valid) continue;
        const DeviceTraits* const traits = traits_of_device(device.text);
        if (traits == nullptr) continue;
        const std::string_view target = target_of(device.text);
        if (traits->by_xdp() && by_xdp == nullptr) by_xdp = &device;
        check_service_tags(port, report);
        if (traits->is_kernel_interface() && target.size() > longest_name) {
            report.add(device.at, device.path,
                       fmt::format("{} is too long for an interface's name", in_quotes(target)),
                       fmt::format("write one of {} octets or less", longest_name));
        }
    }
    if (by_xdp == nullptr) return;
    for (const Value& port : file["ports"].items) {
        const Value& mtu = port["mtu"];
        const int64_t longest = longest_mtu_beside_xdp - octets_in_front(port).count();
        if (!mtu.valid || mtu.number <= longest) continue;
        report.add(mtu.at, mtu.path,
                   fmt::format("frames of an MTU of {} do not fit the pages of {}", mtu.number,
                               in_quotes(by_xdp->text)),
                   fmt::format("write {}B or less, or another kind of device there", longest));
    }
}

}  // namespace sluice::config
