// Checks the kernel interfaces that ports use, by af_packet: and af_xdp:.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "tools/sluice/doctor/checks.h"
#include "tools/sluice/doctor/offloads.h"

namespace sluice::cli {

namespace {

// Linux drivers with zero-copy XDP sockets.
constexpr std::array<std::string_view, 9> zero_copy = {
    "i40e", "ice", "igb", "igc", "ixgbe", "mlx5_core", "stmmac", "virtio_net", "gve"};

constexpr int64_t tag_octets = 4;

std::string of(const std::string& interface, std::string_view file) {
    return fmt::format("/sys/class/net/{}/{}", interface, file);
}

Finding driver(const Machine& machine, const ExaminedPort& port) {
    const auto name = machine.target(of(port.target, "device/driver"));
    const std::string line = "driver " + port.name;
    if (!name) return {line, Verdict::good, fmt::format("{} is virtual", port.target)};
    const bool known = std::ranges::find(zero_copy, *name) != zero_copy.end();
    if (port.scheme == "af_xdp" && !known) {
        return {line, Verdict::warn,
                fmt::format("{}: the driver {} copies each frame for XDP", port.target, *name),
                "use a NIC whose driver does not, or pci: in place of af_xdp:"};
    }
    return {line, Verdict::good, fmt::format("{} is driven by {}", port.target, *name)};
}

Finding mtu(const Machine& machine, const FarEnds& far_ends, const ExaminedPort& port) {
    const std::string line = "mtu " + port.name;
    const int64_t now = machine.number(of(port.target, "mtu")).value_or(0);
    if (now < port.mtu) {
        return {line, Verdict::warn,
                fmt::format("{} takes {} octets, the port needs {}: sluiced raises the MTU if the "
                            "driver permits it",
                            port.target, now, port.mtu),
                fmt::format("ip link set dev {} mtu {}", port.target, port.mtu)};
    }
    const auto far = far_ends.find(port.target);
    if (far == far_ends.end() || !far->second) {
        return {line, Verdict::good, fmt::format("{} takes {} octets", port.target, now)};
    }
    const FarEnd& there = *far->second;
    if (there.mtu < port.mtu) {
        return {
            line, Verdict::warn,
            fmt::format("{} at the far end of {} takes {} octets, the port needs {}: "
                        "longer frames are lost on their way to it",
                        there.interface, port.target, there.mtu, port.mtu),
            fmt::format("{}ip link set dev {} mtu {}", there.entering, there.interface, port.mtu)};
    }
    return {line, Verdict::good,
            fmt::format("{} takes {} octets, and its far end {}, or {} with two tags", port.target,
                        now, there.mtu, std::min(port.mtu, there.mtu - tag_octets))};
}

Finding offloads(const Machine& machine, const Subject& subject, const ExaminedPort& port) {
    const std::string line = "offloads " + port.name;
    std::vector<std::string> on = offloads_of(machine, port.target);
    // For af_packet only LRO matters: a packet socket delivers tags as metadata, and frames that
    // GRO merged are segmented again; LRO cannot be undone.
    if (port.scheme == "af_packet") std::erase_if(on, [](auto& each) { return each != "lro"; });
    if (on.empty()) return {line, Verdict::good, fmt::format("{} merges no frames", port.target)};
    const std::string list = fmt::format("{}", fmt::join(on, ", "));
    if (!subject.running) {
        return {line, Verdict::good,
                fmt::format("{} has {} on; sluiced turns that off", port.target, list)};
    }
    return {line, Verdict::bad,
            fmt::format("{} has {} on, so frames are merged or lose their tags", port.target, list),
            fmt::format("ethtool -K {} {} off", port.target, fmt::join(on, " off "))};
}

Finding link(const Machine& machine, const ExaminedPort& port) {
    const std::string line = "link " + port.name;
    if (machine.number(of(port.target, "carrier")).value_or(0) == 1) {
        return {line, Verdict::good, fmt::format("{} has a carrier", port.target)};
    }
    return {line, Verdict::warn,
            fmt::format("{} has no carrier, or is set down, from where sluiced sets it up",
                        port.target),
            fmt::format("ip link set dev {} up; ethtool {}", port.target, port.target)};
}

}  // namespace

void check_interfaces(const Machine& machine, const Subject& subject, const FarEnds& far_ends,
                      Findings& findings) {
    for (const ExaminedPort& port : subject.ports) {
        if (port.scheme != "af_packet" && port.scheme != "af_xdp") continue;
        if (!machine.exists(of(port.target, ""))) {
            findings.push_back({"interface " + port.name, Verdict::bad,
                                fmt::format("there is no interface {}", port.target),
                                "ip link; correct the name of the device"});
            continue;
        }
        findings.push_back(
            {"interface " + port.name, Verdict::good, fmt::format("{} is there", port.target)});
        findings.push_back(driver(machine, port));
        findings.push_back(link(machine, port));
        findings.push_back(mtu(machine, far_ends, port));
        findings.push_back(offloads(machine, subject, port));
    }
}

}  // namespace sluice::cli
