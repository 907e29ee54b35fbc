// Checks PCI devices that DPDK drives, their IOMMU, and the NUMA nodes of all NICs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/sluice/doctor/checks.h"

namespace sluice::cli {

namespace {

constexpr std::string_view bus = "/sys/bus/pci/devices";

// Whether DPDK's driver works together with this kernel driver.
bool is_shared(std::string_view driver) { return driver.starts_with("mlx"); }

Finding iommu(const Machine& machine) {
    if (!machine.names("/sys/kernel/iommu_groups").empty()) {
        return {"iommu", Verdict::good, "an IOMMU limits devices to their own memory"};
    }
    return {
        "iommu", Verdict::bad,
        "there is no IOMMU: vfio-pci refuses devices, or lets them access all memory",
        "boot with intel_iommu=on iommu=pt, or amd_iommu=on, and enable the IOMMU in the firmware"};
}

Finding bound(const Machine& machine, const ExaminedPort& port) {
    const std::string line = "driver " + port.name;
    const std::string folder = fmt::format("{}/{}", bus, port.target);
    if (!machine.exists(folder)) {
        return {line, Verdict::bad, fmt::format("there is no PCI device {}", port.target),
                "dpdk-devbind.py --status; correct the address"};
    }
    const std::string driver = machine.target(folder + "/driver").value_or("no driver");
    if (driver == "vfio-pci" || is_shared(driver)) {
        return {line, Verdict::good, fmt::format("{} is driven by {}", port.target, driver)};
    }
    return {line, Verdict::bad,
            fmt::format("{} is driven by {}: DPDK cannot use it", port.target, driver),
            fmt::format("dpdk-devbind.py --bind=vfio-pci {}", port.target)};
}

std::optional<int64_t> node_of(const Machine& machine, const ExaminedPort& port) {
    const std::string folder = port.scheme == "pci"
                                   ? fmt::format("{}/{}", bus, port.target)
                                   : fmt::format("/sys/class/net/{}/device", port.target);
    const auto node = machine.number(folder + "/numa_node");
    return node && *node >= 0 ? node : std::nullopt;
}

Finding numa(const Machine& machine, const Subject& subject) {
    std::vector<std::string> far;
    for (const ExaminedPort& port : subject.ports) {
        const auto node = node_of(machine, port);
        if (!node || subject.cores.empty()) continue;
        const std::set<unsigned> near =
            cpus_of(machine.text(fmt::format("/sys/devices/system/node/node{}/cpulist", *node))
                        .value_or(""));
        const bool reached =
            std::ranges::any_of(subject.cores, [&](unsigned cpu) { return near.contains(cpu); });
        if (!reached) far.push_back(fmt::format("{} (node {})", port.name, *node));
    }
    if (far.empty()) return {"numa", Verdict::good, "each NIC has a worker on its node"};
    return {"numa", Verdict::warn,
            fmt::format("no worker is on the node of {}: each frame crosses between sockets",
                        fmt::join(far, ", ")),
            "name cores of that node in workers.cores; lscpu lists them"};
}

}  // namespace

void check_devices(const Machine& machine, const Subject& subject, Findings& findings) {
    if (subject.has("pci")) findings.push_back(iommu(machine));
    for (const ExaminedPort& port : subject.ports) {
        if (port.scheme == "pci") findings.push_back(bound(machine, port));
    }
    findings.push_back(numa(machine, subject));
}

}  // namespace sluice::cli
