#include "pmd_glue/eal.h"

#include <rte_alarm.h>
#include <rte_debug.h>
#include <rte_eal.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_version.h>
#include <sched.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <set>
#include <utility>

#include "pmd_glue/driver_log.h"
#include "pmd_glue/huge_pages.h"
#include "pmd_glue/numa.h"
#include "pmd_glue/runtime_folder.h"

namespace sluice::pmd {

struct Eal::State {
    HugePages pages;  // returned to the kernel after EAL's cleanup
    bool uses_huge_pages = false;
    bool memory_by_node = false;
    bool closed = false;
    std::vector<std::string> notices;
};

namespace {

std::atomic<bool> devices_are_left{false};

bool mentions(const std::vector<std::string>& arguments,
              std::initializer_list<std::string_view> options) {
    return std::ranges::any_of(arguments, [&](std::string_view argument) {
        return std::ranges::any_of(
            options, [&](std::string_view option) { return argument.starts_with(option); });
    });
}

std::string join(const std::vector<unsigned>& numbers) {
    std::string text;
    for (const unsigned number : numbers) {
        if (!text.empty()) text += ',';
        text += std::to_string(number);
    }
    return text;
}

// Builds `0@(0,1),1@0,2@1`: lcore 0 on every CPU, then one lcore for each worker.
std::string lcore_map(const std::vector<unsigned>& cpus, const std::vector<unsigned>& workers) {
    std::string map = "0@(";
    map.append(join(cpus)).append(")");
    for (std::size_t worker = 0; worker < workers.size(); ++worker) {
        map.append(",").append(std::to_string(worker + 1));
        map.append("@").append(std::to_string(workers[worker]));
    }
    return map;
}

// Memory that DPDK and drivers allocate for an lcore or a device, on its NUMA node.
constexpr Bytes for_drivers{64 * 1024 * 1024};

// Returns the NUMA nodes of the lcores. Lcore 0 counts only if its CPUs are all on one node.
std::set<unsigned> nodes_of_lcores(const std::vector<unsigned>& cpus,
                                   const std::vector<unsigned>& workers, const NumaNodes& machine) {
    std::set<unsigned> nodes;
    for (const unsigned cpu : cpus) nodes.insert(machine.of_cpu(cpu));
    if (nodes.size() > 1) nodes.clear();  // lcore 0 moves between nodes
    for (const unsigned cpu : workers) nodes.insert(machine.of_cpu(cpu));
    return nodes;
}

std::vector<MemoryNeed> needs_of(const EalOptions& options, const std::vector<unsigned>& cpus) {
    const NumaNodes machine;
    if (!machine.several()) return {{std::nullopt, options.memory}};
    const std::set<unsigned> lcores = nodes_of_lcores(cpus, options.worker_cpus, machine);
    std::set<unsigned> chosen(options.nodes.begin(), options.nodes.end());
    if (chosen.empty()) chosen = lcores;
    if (chosen.empty()) return {{std::nullopt, options.memory}};
    std::vector<MemoryNeed> needs;
    for (const unsigned node : chosen) needs.push_back({node, options.memory});
    std::set<unsigned> others = lcores;
    for (const Device& device : options.devices) {
        if (const auto node = machine.of_device(device)) others.insert(*node);
    }
    for (const unsigned node : others) {
        if (!chosen.contains(node)) needs.push_back({node, for_drivers});
    }
    return needs;
}

std::string mebibytes(Bytes octets) {
    constexpr int64_t mebibyte = 1024 * 1024;
    return std::to_string((octets.count() + mebibyte - 1) / mebibyte);
}

// Builds `0,512`: nothing on node 0, 512 MiB on node 1.
std::string by_node(const std::vector<MemoryNeed>& needs) {
    std::map<unsigned, Bytes> wanted;
    for (const MemoryNeed& need : needs) wanted[need.node.value()] = need.octets;
    std::string text;
    for (unsigned node = 0; node <= wanted.rbegin()->first; ++node) {
        if (node > 0) text += ',';
        text += mebibytes(wanted[node]);
    }
    return text;
}

void add_memory_arguments(std::vector<std::string>& arguments, const std::vector<MemoryNeed>& needs,
                          bool huge) {
    // EAL refuses --in-memory together with --no-huge. With --socket-mem or -m it allocates its
    // memory at once, before another process can.
    arguments.emplace_back(huge ? "--in-memory" : "--no-huge");
    const bool on_nodes = huge && needs.front().node.has_value();
    arguments.emplace_back(on_nodes ? "--socket-mem" : "-m");
    arguments.push_back(on_nodes ? by_node(needs) : mebibytes(needs.front().octets));
}

}  // namespace

std::string_view dpdk_version() { return rte_version(); }

bool choose_memory(const std::vector<std::string>& arguments) {
    return mentions(arguments, {"--no-huge", "--in-memory", "--huge", "--socket-mem", "-m",
                                "--legacy-mem", "--single-file-segments"});
}

std::vector<unsigned> usable_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<unsigned> cpus;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return {0};
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
    }
    return cpus;
}

tl::expected<Eal, Error> Eal::start(const EalOptions& options) {
    static bool started = false;
    if (started) {
        return tl::unexpected(Error{"EAL", "it was started before in this process",
                                    "DPDK can be started once: run a new process"});
    }
    const std::vector<unsigned> cpus = usable_cpus();
    for (std::size_t worker = 0; worker < options.worker_cpus.size(); ++worker) {
        if (std::ranges::find(cpus, options.worker_cpus[worker]) == cpus.end()) {
            return tl::unexpected(Error{
                "worker " + std::to_string(worker),
                "this process may not run on CPU " + std::to_string(options.worker_cpus[worker]),
                "use one of " + join(cpus)});
        }
    }

    auto state = std::make_unique<State>();
    std::vector<std::string> arguments = {"sluice"};
    // Options that the user sets are left to the user: from DPDK 25.11 on, EAL ends the process if
    // an option occurs twice.
    const auto add = [&](std::string_view option, const std::string& value = {}) {
        if (mentions(options.extra, {option})) return;
        arguments.emplace_back(option);
        if (!value.empty()) arguments.push_back(value);
    };
    add("--file-prefix", own_prefix());
    add("--lcores", lcore_map(cpus, options.worker_cpus));
    add("--no-telemetry");
    add("--no-shconf");
    const auto on_pci = [](const Device& device) { return device.traits().is_pci(); };
    if (std::ranges::none_of(options.devices, on_pci)) {
        // Without PCI nothing needs physical addresses, and virtual ones keep a pool in one piece.
        add("--no-pci");
        add("--iova-mode", "va");
    }
    for (const Device& device : options.devices) {
        if (!on_pci(device)) continue;
        arguments.emplace_back("-a");
        arguments.push_back(device.target);
    }
    if (!choose_memory(options.extra)) {
        const std::vector<MemoryNeed> needs = needs_of(options, cpus);
        auto pages = HugePages::take(needs);
        if (!pages) return tl::unexpected(std::move(pages.error()));
        state->pages = std::move(*pages);
        state->uses_huge_pages = state->pages.available();
        if (!state->pages.notice().empty()) state->notices.push_back(state->pages.notice());
        state->memory_by_node = state->uses_huge_pages && needs.front().node.has_value();
        add_memory_arguments(arguments, needs, state->uses_huge_pages);
    } else {
        state->uses_huge_pages = !mentions(options.extra, {"--no-huge"});
    }
    arguments.insert(arguments.end(), options.extra.begin(), options.extra.end());

    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    capture_driver_log(mentions(options.extra, {"--log-level"}));
    int result = 0;
    {
        const StandardStreamsCaptured captured;
        result = rte_eal_init(static_cast<int>(pointers.size()), pointers.data());
    }
    started = true;
    remove_runtime_folders_of_the_dead(rte_eal_get_runtime_dir());
    state->pages.taken();
    capture_driver_log(false);  // hooks libxdp, which EAL has loaded with the drivers
    if (result < 0) {
        remove_own_runtime_folder(rte_eal_get_runtime_dir());
        return tl::unexpected(explain("EAL", "DPDK could not start", "INTERFACE"));
    }
    take_driver_log();
    return Eal(std::move(state));
}

Eal::Eal(std::unique_ptr<State> state) : state_(std::move(state)) {}
Eal::Eal(Eal&&) noexcept = default;
Eal::~Eal() { close(); }

void Eal::leave_devices() { devices_are_left.store(true); }

void Eal::close() {
    if (state_ == nullptr || std::exchange(state_->closed, true)) return;
    if (!devices_are_left.load()) rte_eal_cleanup();
    remove_own_runtime_folder(rte_eal_get_runtime_dir());
}

void Eal::launch(std::size_t worker, int (*function)(void*), void* argument) {
    const int result = rte_eal_remote_launch(function, argument, static_cast<unsigned>(worker + 1));
    if (result != 0) rte_panic("worker %zu has no lcore, or is busy\n", worker);
}

void Eal::wait(std::size_t worker) { rte_eal_wait_lcore(static_cast<unsigned>(worker + 1)); }

bool Eal::runs(std::size_t worker) const {
    return rte_eal_get_lcore_state(static_cast<unsigned>(worker + 1)) == RUNNING;
}

void Eal::on_own_threads(const std::function<void()>& function) {
    const auto call = [](void* argument) {
        (*static_cast<const std::function<void()>*>(argument))();
        return 0;
    };
    std::function<void()> each = function;
    const auto after = [](unsigned lcore) { return rte_get_next_lcore(lcore, 1, 0); };
    for (unsigned lcore = after(LCORE_ID_ANY); lcore < RTE_MAX_LCORE; lcore = after(lcore)) {
        if (rte_eal_remote_launch(call, &each, lcore) != 0) rte_panic("lcore %u is busy\n", lcore);
        rte_eal_wait_lcore(lcore);
    }
    std::promise<void> done;
    std::function<void()> last = [&] {
        function();
        done.set_value();
    };
    const auto alarm = [](void* argument) { (*static_cast<std::function<void()>*>(argument))(); };
    if (rte_eal_alarm_set(1, alarm, &last) != 0) return;
    const auto patience = std::chrono::seconds(10);
    if (done.get_future().wait_for(patience) == std::future_status::ready) return;
    rte_eal_alarm_cancel(alarm, &last);  // waits for a call that is in progress
}

bool Eal::huge_pages() const { return state_->uses_huge_pages; }
void Eal::abandon() {
    remove_own_runtime_folder(rte_eal_get_runtime_dir());
    const HugePages pages = std::move(state_->pages);
}
bool Eal::memory_by_node() const { return state_->memory_by_node; }
const std::vector<std::string>& Eal::notices() const { return state_->notices; }

}  // namespace sluice::pmd
