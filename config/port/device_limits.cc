#include "config/port/device_limits.h"

#include <fmt/format.h>

#include <string_view>

#include "config/port/device_words.h"

namespace sluice::config {
namespace {

constexpr std::size_t longest_name = 15;  // IFNAMSIZ

bool is_interface(std::string_view scheme) {
    return scheme == "af_packet" || scheme == "af_xdp" || scheme == "tap";
}

}  // namespace

void check_device_limits(const Value& file, Report& report) {
    const Value* by_xdp = nullptr;
    for (const Value& port : file["ports"].items) {
        const Value& device = port["device"];
        if (!device.valid) continue;
        const std::string_view scheme = scheme_of(device.text);
        const std::string_view target = target_of(device.text);
        if (scheme == "af_xdp" && by_xdp == nullptr) by_xdp = &device;
        if (is_interface(scheme) && target.size() > longest_name) {
            report.add(device.at, device.path,
                       fmt::format("{} is too long for an interface's name", in_quotes(target)),
                       fmt::format("write one of {} octets or less", longest_name));
        }
    }
    if (by_xdp == nullptr) return;
    for (const Value& port : file["ports"].items) {
        const Value& mtu = port["mtu"];
        if (!mtu.valid || mtu.number <= longest_mtu_beside_xdp) continue;
        report.add(mtu.at, mtu.path,
                   fmt::format("frames of an MTU of {} do not fit the pages of {}", mtu.number,
                               in_quotes(by_xdp->text)),
                   fmt::format("write {}B or less, or another kind of device there",
                               longest_mtu_beside_xdp));
    }
}

}  // namespace sluice::config
