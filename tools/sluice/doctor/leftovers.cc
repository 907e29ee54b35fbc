// Finds the remains of killed switches: sockets without a listener, and DPDK's folders.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/sluice/doctor/checks.h"

namespace sluice::cli {

namespace {

constexpr std::string_view dpdk = "/run/dpdk";
constexpr std::string_view ours = "sluice";

Finding socket_left(const Machine& machine, const Subject& subject) {
    if (subject.running) {
        return {"socket", Verdict::good, fmt::format("a sluiced answers on {}", subject.socket)};
    }
    if (!machine.exists(subject.socket)) {
        return {"socket", Verdict::good, fmt::format("{} is free", subject.socket)};
    }
    return {"socket",
            Verdict::warn,
            fmt::format("{} exists, but no process answers: a switch was killed; the next "
                        "start replaces it",
                        subject.socket),
            fmt::format("rm {}", subject.socket),
            {{subject.socket, ""}}};
}

// Returns the process id in the name of a folder: its last number.
std::string process_of(std::string_view folder) {
    const std::size_t end = folder.find_last_of("0123456789");
    if (end == std::string_view::npos) return {};
    const std::size_t before = folder.find_last_not_of("0123456789", end);
    return std::string(
        folder.substr(before == std::string_view::npos ? 0 : before + 1,
                      end - (before == std::string_view::npos ? 0 : before + 1) + 1));
}

Finding folders_left(const Machine& machine) {
    std::vector<std::string> dead;
    for (const std::string& name : machine.names(dpdk)) {
        const std::string process = process_of(name);
        if (!name.starts_with(ours) || process.empty()) continue;
        if (!machine.exists("/proc/" + process)) dead.push_back(fmt::format("{}/{}", dpdk, name));
    }
    if (dead.empty()) return {"leftovers", Verdict::good, "no switch has left DPDK folders"};
    return {"leftovers", Verdict::warn,
            fmt::format("{} DPDK folder(s) of killed switches; the next start removes them",
                        dead.size()),
            fmt::format("rm -r {}", fmt::join(dead, " "))};
}

}  // namespace

void check_leftovers(const Machine& machine, const Subject& subject, Findings& findings) {
    findings.push_back(socket_left(machine, subject));
    findings.push_back(folders_left(machine));
}

}  // namespace sluice::cli
