// Checks huge pages, the mount of /sys by which they are reserved, and a process's memory limits.
#include <fmt/format.h>

#include <algorithm>

#include "config/memory.h"
#include "tools/common/quantities.h"
#include "tools/sluice/doctor/checks.h"

namespace sluice::cli {

namespace {

constexpr std::string_view pages_folder = "/sys/kernel/mm/hugepages/hugepages-2048kB";
// Pages of 2 MB that the default buffer of 16 MiB needs.
constexpr int64_t usual_pages = 256;
constexpr int64_t page_kilobytes = 2048;

Finding huge_pages(const Machine& machine, const Subject& subject) {
    const std::string file = fmt::format("{}/nr_hugepages", pages_folder);
    const auto total = machine.number(file);
    const auto free = machine.number(fmt::format("{}/free_hugepages", pages_folder));
    if (!total || !free) {
        return {"huge_pages", Verdict::warn,
                "the kernel has no huge pages of 2 MB: frames use ordinary pages, which is slower",
                "use a kernel with CONFIG_HUGETLBFS"};
    }
    if (*free >= usual_pages || (subject.running && *total > 0)) {
        return {"huge_pages", Verdict::good,
                fmt::format("{} of {} pages of 2 MB are free", *free, *total)};
    }
    const int64_t wanted = *total - *free + usual_pages;
    Finding finding{"huge_pages", Verdict::warn,
                    fmt::format("{} of {} pages of 2 MB are free, a buffer of 16 MiB takes up to "
                                "{}: frames use ordinary pages, which is slower",
                                *free, *total, usual_pages),
                    fmt::format("echo {} > {}", wanted, file)};
    // sluiced itself reserves at most half of the available memory.
    const auto available = machine.field("/proc/meminfo", "MemAvailable");
    const int64_t kilobytes = available ? std::atoll(available->c_str()) : 0;
    if ((wanted - *total) * page_kilobytes <= kilobytes / 2) {
        finding.fixes.push_back({file, fmt::format("{}", wanted)});
    }
    return finding;
}

// Checks that /sys is mounted and writable: otherwise sluiced cannot reserve huge pages when
// it starts.
Finding mounts(const Machine& machine) {
    const std::string mounted = "\n" + machine.text("/proc/mounts").value_or("");
    const std::size_t sysfs = mounted.find(" /sys sysfs ");
    if (sysfs == std::string::npos) {
        return {"mounts", Verdict::bad, "/sys is not mounted: information about NICs is missing",
                "mount -t sysfs sysfs /sys"};
    }
    const std::string_view options =
        std::string_view(mounted).substr(sysfs + std::string_view(" /sys sysfs ").size());
    if (options.starts_with("ro")) {
        return {"mounts", Verdict::warn,
                "/sys is read-only: huge pages cannot be reserved at the start",
                "mount -o remount,rw /sys, or reserve them before"};
    }
    return {"mounts", Verdict::good, "/sys is mounted; huge pages need no mount"};
}

// Returns the soft limit with this name; empty if it is unknown.
std::string limit_called(std::string_view name, const Machine& machine) {
    const std::string limits = machine.text("/proc/self/limits").value_or("");
    const std::size_t at = limits.find(name);
    const std::size_t value =
        at == std::string::npos ? at : limits.find_first_not_of(' ', at + name.size());
    if (value == std::string::npos) return {};
    return limits.substr(value, limits.find(' ', value) - value);
}

// EAL reserves 128 GiB of address space for huge pages, even if it uses few.
Finding address_space(const Machine& machine) {
    const std::string limit = limit_called("Max address space", machine);
    if (limit.empty() || limit == "unlimited") {
        return {"address_space", Verdict::good, "the address space is not limited"};
    }
    return {"address_space", Verdict::warn,
            fmt::format("the address space of a process is limited to {} octets, and DPDK "
                        "reserves 128 GiB: sluiced may not start",
                        limit),
            "ulimit -v unlimited, or LimitAS=infinity in the unit"};
}

// If locking is needed and not permitted, the check `capabilities` reports it.
Finding locked_memory(const Machine& machine, const Subject& subject) {
    if (subject.running) {
        return {"memlock", Verdict::good, "the running switch has locked its memory"};
    }
    const std::string soft = limit_called("Max locked memory", machine);
    if (soft.empty()) {
        return {"memlock", Verdict::warn, "the limit of locked memory is unknown", "ulimit -l"};
    }
    if (soft == "unlimited") {
        return {"memlock", Verdict::good, "any amount of memory may be locked"};
    }
    if (machine.holds(cap_ipc_lock)) {
        return {"memlock", Verdict::good, "any amount of memory may be locked, by CAP_IPC_LOCK"};
    }
    return {"memlock", Verdict::warn,
            fmt::format("{} octets may be locked; af_xdp: and pci: lock all frame buffers", soft),
            "ulimit -l unlimited, or LimitMEMLOCK=infinity in the unit"};
}

// Checks the memory for frame buffers, unless the switch runs and so has its memory already.
Finding frame_buffers(const Machine& machine, const Subject& subject) {
    const config::MemoryNeeded needed = config::memory_needed(*subject.configuration);
    const auto fault = subject.running
                           ? std::nullopt
                           : config::memory_fault(*subject.configuration, machine.at(""));
    if (fault) {
        return {"memory", Verdict::bad, fmt::format("{}: {}", fault->path, fault->what),
                fault->remedy};
    }
    return {"memory", Verdict::good,
            fmt::format("{} frame buffers of {} octets take {}", needed.buffers, needed.octets_each,
                        show_size(static_cast<double>(needed.octets)))};
}

}  // namespace

bool Subject::has(std::string_view scheme) const {
    return std::ranges::find(ports, scheme, &ExaminedPort::scheme) != ports.end();
}

void check_memory(const Machine& machine, const Subject& subject, Findings& findings) {
    findings.push_back(huge_pages(machine, subject));
    if (subject.configuration) findings.push_back(frame_buffers(machine, subject));
    findings.push_back(mounts(machine));
    findings.push_back(address_space(machine));
    findings.push_back(locked_memory(machine, subject));
}

}  // namespace sluice::cli
