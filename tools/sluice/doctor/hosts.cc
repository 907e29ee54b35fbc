// Checks the hosts at kernel interfaces: offloads that a host leaves to a network card although a
// veth has none, their consequences, and addresses that a host shares with this machine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/sluice/doctor/checks.h"

namespace sluice::cli {

namespace {

bool leaves(const FarEnd& far, std::string_view what) {
    return std::ranges::find(far.leaves, what) != far.leaves.end();
}

Finding host_by_packet(const std::string& line, const ExaminedPort& port,
                       const std::optional<FarEnd>& far) {
    if (!far) {
        return {line, Verdict::good,
                fmt::format("the far end of {} is not visible; the port completes every offload "
                            "that it leaves",
                            port.target)};
    }
    return {line, Verdict::good,
            fmt::format(
                "{} at the far end of {} leaves {} to the NIC; the port completes checksums, cuts "
                "segments and restores tags",
                far->interface, port.target,
                far->leaves.empty() ? "nothing" : fmt::format("{}", fmt::join(far->leaves, ", ")))};
}

Finding host_by_xdp(const Machine& machine, const std::string& line, const ExaminedPort& port,
                    const std::optional<FarEnd>& far) {
    if (!far) {
        return {
            line, Verdict::warn,
            fmt::format("the far end of {} is not visible; of its checksums, the port completes "
                        "only those of TCP and UDP",
                        port.target),
            "run as root; or on the host: ethtool -K eth0 tx off"};
    }
    if (leaves(*far, "tags") && !kernel_hands_tags_to_xdp(machine)) {
        return {line, Verdict::warn,
                fmt::format("{} at the far end of {} leaves tags outside of its frames; this "
                            "kernel does not pass them to XDP, so they are lost",
                            far->interface, port.target),
                fmt::format("{}ethtool -K {} txvlan off tx off", far->entering, far->interface)};
    }
    if (leaves(*far, "checksums")) {
        return {
            line, Verdict::warn,
            fmt::format(
                "{} at the far end of {} leaves checksums to the NIC; the port completes those of "
                "TCP and UDP; those of SCTP, and after IPv6 extension headers, stay "
                "wrong",
                far->interface, port.target),
            fmt::format("{}ethtool -K {} tx off", far->entering, far->interface)};
    }
    return {line, Verdict::good,
            fmt::format("{} at the far end of {} leaves no checksum to the NIC", far->interface,
                        port.target)};
}

Finding host(const Machine& machine, const FarEnds& far_ends, const ExaminedPort& port) {
    const std::string line = "host " + port.name;
    if (port.scheme == "tap") {
        return {line, Verdict::good,
                fmt::format("the user of {} leaves checksums and segments to the NIC; the port "
                            "completes and cuts them",
                            port.target)};
    }
    const auto far = far_ends.find(port.target);
    if (far == far_ends.end()) {
        return {line, Verdict::good,
                fmt::format("{} is not a veth: its driver passes on complete frames, or marks what "
                            "is incomplete",
                            port.target)};
    }
    return port.scheme == "af_packet" ? host_by_packet(line, port, far->second)
                                      : host_by_xdp(machine, line, port, far->second);
}

// Whether the configuration makes this machine a host of the switch at the interface: by a TAP, or
// by a port that host and switch share.
bool is_meant(const Subject& subject, const std::string& interface) {
    return std::ranges::any_of(subject.ports, [&](const ExaminedPort& port) {
        return port.target == interface && (port.scheme == "tap" || port.shared);
    });
}

std::optional<Finding> common_address(const Address& own, const Address& of_host,
                                      const std::string& port) {
    if (own.octets == of_host.octets) {
        return Finding{
            "addresses", Verdict::warn,
            fmt::format("{} is an address of the host at {} and of this machine, on {}: other "
                        "hosts reach that host, this machine only itself",
                        own.text, port, own.interface),
            fmt::format("ip address del {}/{} dev {}", own.text, own.prefix, own.interface)};
    }
    if (own.prefix == 0 || !is_in_network(own, of_host)) return std::nullopt;
    return Finding{"addresses", Verdict::warn,
                   fmt::format("{} of the host at {} is in the network of this machine's {} on {}: "
                               "frames of this machine to it do not pass through the switch",
                               of_host.text, port, own.text, own.interface),
                   fmt::format("ip address del {}/{} dev {}, or have hosts use another network",
                               own.text, own.prefix, own.interface)};
}

Finding addresses(const Machine& machine, const Subject& subject, const FarEnds& far_ends) {
    std::vector<Address> own = addresses_of(machine);
    std::erase_if(own, [&](const Address& each) { return is_meant(subject, each.interface); });
    for (const ExaminedPort& port : subject.ports) {
        const auto far = far_ends.find(port.target);
        if (far == far_ends.end() || !far->second || far->second->entering.empty()) continue;
        for (const Address& of_host : far->second->addresses) {
            for (const Address& each : own) {
                if (auto found = common_address(each, of_host, port.name)) return *found;
            }
        }
    }
    return {"addresses", Verdict::good, "no visible host has an address of this machine"};
}

}  // namespace

void check_hosts(const Machine& machine, const Subject& subject, const FarEnds& far_ends,
                 Findings& findings) {
    bool has_hosts = false;
    for (const ExaminedPort& port : subject.ports) {
        if (port.scheme != "af_packet" && port.scheme != "af_xdp" && port.scheme != "tap") continue;
        has_hosts = true;
        findings.push_back(host(machine, far_ends, port));
    }
    if (has_hosts) findings.push_back(addresses(machine, subject, far_ends));
}

}  // namespace sluice::cli
