#include "pmd_glue/privileges.h"

#include <cap-ng.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "pmd_glue/eal.h"
#include "pmd_glue/system_calls.h"

namespace sluice::pmd {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t bit(int capability) { return uint64_t{1} << capability; }

uint64_t bits_of(Capabilities set) {
    uint64_t bits = 0;
    if (contains(set, Capabilities::net_admin)) bits |= bit(CAP_NET_ADMIN);
    if (contains(set, Capabilities::net_raw)) bits |= bit(CAP_NET_RAW);
    if (contains(set, Capabilities::ipc_lock)) bits |= bit(CAP_IPC_LOCK);
    return bits;
}

// Reduces the calling thread's capabilities to `kept`. Returns nothing, or why it failed.
std::optional<std::string> keep_only(uint64_t kept) {
    if (::capng_get_caps_process() != 0) return "its capabilities cannot be read";
    const bool may_bound = ::capng_have_capability(CAPNG_EFFECTIVE, CAP_SETPCAP) != 0;
    uint64_t held = 0;
    for (int capability = 0; capability <= CAP_LAST_CAP; ++capability) {
        const auto number = static_cast<unsigned>(capability);
        if (::capng_have_capability(CAPNG_PERMITTED, number) != 0) held |= bit(capability);
    }
    ::capng_clear(CAPNG_SELECT_ALL);
    for (int capability = 0; capability <= CAP_LAST_CAP; ++capability) {
        if ((held & kept & bit(capability)) == 0) continue;
        ::capng_update(CAPNG_ADD, static_cast<capng_type_t>(CAPNG_EFFECTIVE | CAPNG_PERMITTED),
                       static_cast<unsigned>(capability));
    }
    // The bounding set is first: changing it needs a capability that is given up with the others.
    const bool bounded = !may_bound || ::capng_apply(CAPNG_SELECT_BOUNDS) == 0;
    if (::capng_apply(CAPNG_SELECT_CAPS) != 0) return "its capabilities cannot be dropped";
    if (!bounded) return "its bounding set cannot be reduced";
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "no_new_privs is refused";
    return std::nullopt;
}

std::optional<std::string> confine(uint64_t kept) {
    if (auto why = keep_only(kept)) return why;
    return refuse_system_calls();
}

// A thread of this process.
struct Thread {
    std::string name;
    uint64_t capabilities = 0;
};

Thread thread_at(const fs::path& folder) {
    Thread thread;
    std::ifstream status(folder / "status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("Name:\t")) thread.name = line.substr(6);
        if (line.starts_with("CapPrm:")) thread.capabilities = std::stoull(line.substr(7), {}, 16);
    }
    return thread;
}

// Returns the threads that have more capabilities than `kept`: a driver made these threads before
// the others gave up their capabilities, or they could not be reached.
std::vector<std::string> who_keeps_more(uint64_t kept) {
    std::vector<std::string> lines;
    std::error_code failed;
    for (fs::directory_iterator entry("/proc/self/task", failed), end; entry != end;
         entry.increment(failed)) {
        const Thread thread = thread_at(entry->path());
        if ((thread.capabilities & ~kept) == 0) continue;
        lines.push_back("the thread " + thread.name + " keeps capabilities");
    }
    return lines;
}

}  // namespace

uint64_t kept_for(std::span<const Device> devices) {
    uint64_t all = 0;
    for (const Device& device : devices) all |= bits_of(device.traits().to_close);
    return all;
}

// If dropping privileges fails in this thread, the failure is reported when other threads drop
// theirs.
void confined(const std::function<void()>& what) {
    std::thread thread([&] {
        (void)confine(0);
        what();
    });
    thread.join();
}

std::vector<std::string> give_up_privileges(Eal& eal, const Keeping& keeping) {
    std::mutex lines_change;
    std::vector<std::string> lines;
    const auto note = [&](const std::optional<std::string>& why) {
        if (!why) return;
        const std::scoped_lock alone(lines_change);
        const std::string line = "privileges were not dropped: " + *why;
        if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
    };
    eal.on_own_threads([&] { note(confine(0)); });
    const bool changes_interfaces = keeping.gives_back || keeping.edits_kernel_fdb;
    uint64_t kept = kept_for(keeping.devices) | (changes_interfaces ? bit(CAP_NET_ADMIN) : 0);
    for (const DeviceKind kind : keeping.opens) kept |= bits_of(traits_of(kind).to_open);
    note(confine(kept));
    const std::scoped_lock alone(lines_change);
    std::ranges::copy(who_keeps_more(kept), std::back_inserter(lines));
    return lines;
}

}  // namespace sluice::pmd
