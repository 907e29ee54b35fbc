// Checks the cores on which workers poll: other users of these cores, their speed, and the clock.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/sluice/doctor/checks.h"

namespace sluice::cli {

namespace {

constexpr std::string_view cpu_folder = "/sys/devices/system/cpu";
constexpr std::string_view clock_folder = "/sys/devices/system/clocksource/clocksource0";

std::string of_cpu(unsigned cpu, std::string_view file) {
    return fmt::format("{}/cpu{}/{}", cpu_folder, cpu, file);
}

Finding isolated(const Machine& machine, const Subject& subject) {
    if (subject.cores.empty()) {
        return {"isolated_cpus", Verdict::warn,
                "workers.cores is not configured: other processes run on the workers' cores",
                "set workers.cores, and boot with isolcpus= and nohz_full= of these cores"};
    }
    const auto text = machine.text(fmt::format("{}/isolated", cpu_folder));
    const std::set<unsigned> isolated = cpus_of(text.value_or(""));
    std::set<unsigned> shared;
    std::ranges::set_difference(subject.cores, isolated, std::inserter(shared, shared.end()));
    if (shared.empty()) {
        return {"isolated_cpus", Verdict::good,
                fmt::format("no other process runs on CPU {}", list_of(subject.cores))};
    }
    const std::string list = list_of(subject.cores);
    return {"isolated_cpus", Verdict::warn,
            fmt::format("CPU {}: other processes run there, up to milliseconds at a time",
                        list_of(shared)),
            fmt::format("boot with isolcpus={} nohz_full={} rcu_nocbs={}", list, list, list)};
}

Finding governor(const Machine& machine, const Subject& subject) {
    std::set<unsigned> cpus = subject.cores;
    if (cpus.empty()) {
        cpus = cpus_of(machine.text(fmt::format("{}/online", cpu_folder)).value_or(""));
    }
    Finding finding{"governor", Verdict::good, "no CPU is slowed down by a governor"};
    std::set<unsigned> slow;
    for (const unsigned cpu : cpus) {
        const std::string file = of_cpu(cpu, "cpufreq/scaling_governor");
        const auto now = machine.text(file);
        if (!now || *now == "performance") continue;
        slow.insert(cpu);
        finding.fixes.push_back({file, "performance"});
    }
    if (slow.empty()) return finding;
    finding.verdict = Verdict::warn;
    finding.what = fmt::format("CPU {} may be slowed down while it polls", list_of(slow));
    finding.command = fmt::format(
        "for cpu in {}; do echo performance > {}/cpu$cpu/cpufreq/"
        "scaling_governor; done",
        fmt::join(slow, " "), cpu_folder);
    return finding;
}

Finding siblings(const Machine& machine, const Subject& subject) {
    std::set<unsigned> both;
    for (const unsigned cpu : subject.cores) {
        const auto list = machine.text(of_cpu(cpu, "topology/thread_siblings_list"));
        for (const unsigned other : cpus_of(list.value_or(""))) {
            if (other != cpu && subject.cores.contains(other)) both.insert({cpu, other});
        }
    }
    if (!both.empty()) {
        return {
            "smt", Verdict::warn,
            fmt::format("workers on CPU {} share a core, so each gets half of it", list_of(both)),
            "name one CPU of each core in workers.cores; lscpu -e lists them"};
    }
    return {"smt", Verdict::good, "no two workers share a core"};
}

Finding clock_source(const Machine& machine) {
    const std::string file = fmt::format("{}/current_clocksource", clock_folder);
    const std::string now = machine.text(file).value_or("unknown");
    if (now == "tsc")
        return {"clock_source", Verdict::good, "the clock is the TSC of the processor"};
    const std::string others =
        ' ' + machine.text(fmt::format("{}/available_clocksource", clock_folder)).value_or("") +
        ' ';
    if (others.find(" tsc ") == std::string::npos) {
        return {
            "clock_source", Verdict::warn,
            fmt::format("the clock is {}, as the kernel does not trust the TSC: each read costs "
                        "a system call",
                        now),
            "boot with tsc=reliable if the hypervisor keeps the TSC steady"};
    }
    return {"clock_source",
            Verdict::warn,
            fmt::format("the clock is {}: each read costs a system call", now),
            fmt::format("echo tsc > {}", file),
            {{file, "tsc"}}};
}

Finding cores_there(const Machine& machine, const Subject& subject) {
    const std::set<unsigned> online =
        cpus_of(machine.text(fmt::format("{}/online", cpu_folder)).value_or(""));
    std::set<unsigned> missing;
    std::ranges::set_difference(subject.cores, online, std::inserter(missing, missing.end()));
    if (missing.empty()) {
        return {"cores", Verdict::good, fmt::format("{} CPUs are online", online.size())};
    }
    return {"cores", Verdict::bad,
            fmt::format("workers.cores names CPU {}, which is not online", list_of(missing)),
            fmt::format("name CPUs of {}", list_of(online))};
}

}  // namespace

void check_processors(const Machine& machine, const Subject& subject, Findings& findings) {
    findings.push_back(cores_there(machine, subject));
    findings.push_back(isolated(machine, subject));
    findings.push_back(siblings(machine, subject));
    findings.push_back(governor(machine, subject));
    findings.push_back(clock_source(machine));
}

}  // namespace sluice::cli
