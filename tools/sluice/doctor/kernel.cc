// Checks the kernel's version and features, and the capabilities of this process.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "tools/sluice/doctor/checks.h"

namespace sluice::cli {

namespace {

struct Capability {
    std::string_view name;
    unsigned bit;  // number in capabilities(7)
};
constexpr Capability net_admin{"CAP_NET_ADMIN", 12};
constexpr Capability net_raw{"CAP_NET_RAW", 13};
constexpr Capability ipc_lock{"CAP_IPC_LOCK", cap_ipc_lock};
constexpr Capability sys_admin{"CAP_SYS_ADMIN", 21};
constexpr Capability bpf{"CAP_BPF", 39};

struct Need {
    std::string_view scheme;
    std::vector<Capability> capabilities;
};

const std::vector<Need>& needs() {
    static const std::vector<Need> list = {
        {"af_packet", {net_admin, net_raw}},
        {"af_xdp", {net_admin, net_raw, ipc_lock, bpf}},
        {"tap", {net_admin}},
        {"pci", {net_admin, net_raw, ipc_lock, sys_admin}},
    };
    return list;
}

Finding capabilities(const Machine& machine, const Subject& subject) {
    if (subject.running) {
        return {"capabilities", Verdict::good, "the running switch has opened its devices"};
    }
    std::vector<std::string_view> missing;
    for (const Need& need : needs()) {
        if (!subject.has(need.scheme)) continue;
        for (const Capability& capability : need.capabilities) {
            if (!machine.holds(capability.bit) &&
                std::ranges::find(missing, capability.name) == missing.end()) {
                missing.push_back(capability.name);
            }
        }
    }
    if (missing.empty()) {
        return {"capabilities", Verdict::good,
                "this user may open every device of the configuration"};
    }
    return {"capabilities", Verdict::bad,
            fmt::format("this user lacks {} for the devices of the configuration",
                        fmt::join(missing, ", ")),
            "start sluiced as root, or by its unit: systemctl start sluice"};
}

// Returns `6.1.0-18-amd64` as 6001.
int64_t age_of(const std::string& release) {
    char* rest = nullptr;
    const long major = std::strtol(release.c_str(), &rest, 10);
    const long minor = *rest == '.' ? std::strtol(rest + 1, nullptr, 10) : 0;
    return major * 1000 + minor;
}

std::string release_of(const Machine& machine) {
    return machine.text("/proc/sys/kernel/osrelease").value_or("unknown");
}

Finding kernel(const Machine& machine, const Subject& subject) {
    constexpr int64_t has_xdp_sockets = 4018;
    constexpr int64_t counts_memory_by_group = 5011;
    const std::string release = release_of(machine);
    const int64_t age = age_of(release);
    if (subject.has("af_xdp") && age < has_xdp_sockets) {
        return {"kernel", Verdict::bad, fmt::format("{} has no AF_XDP", release),
                "boot Linux 4.18 or later, or use af_packet: in place of af_xdp:"};
    }
    if (subject.has("af_xdp") && age < counts_memory_by_group) {
        return {"kernel", Verdict::warn,
                fmt::format("{} counts the memory of an XDP program as locked memory, and lacks "
                            "preferred busy polling",
                            release),
                "boot Linux 5.11 or later"};
    }
    return {"kernel", Verdict::good, fmt::format("{} supports the configured devices", release)};
}

Finding features(const Machine& machine, const Subject& subject) {
    if (subject.has("tap") && !machine.exists("/dev/net/tun")) {
        return {"kernel_features", Verdict::bad, "/dev/net/tun, which tap: needs, does not exist",
                "modprobe tun"};
    }
    if (subject.has("af_xdp") && !machine.exists("/sys/kernel/btf/vmlinux")) {
        return {"kernel_features", Verdict::warn,
                "the kernel has no type information (BTF): XDP programs may not load",
                "use a kernel with CONFIG_DEBUG_INFO_BTF"};
    }
    if (subject.has("pci") && !machine.exists("/sys/module/vfio_pci")) {
        return {"kernel_features", Verdict::bad,
                "the module vfio-pci, which pci: needs, is not loaded", "modprobe vfio-pci"};
    }
    return {"kernel_features", Verdict::good,
            "the features that the configured devices need are present"};
}

}  // namespace

bool kernel_hands_tags_to_xdp(const Machine& machine) {
    constexpr int64_t has_tag_hints = 6008;
    return age_of(release_of(machine)) >= has_tag_hints;
}

void check_kernel(const Machine& machine, const Subject& subject, Findings& findings) {
    findings.push_back(kernel(machine, subject));
    findings.push_back(features(machine, subject));
    findings.push_back(capabilities(machine, subject));
}

}  // namespace sluice::cli
