#include "config/memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "config/device_buffers.h"
#include "config/port/device_words.h"
#include "dataplane/buffer/dynamic_threshold.h"
#include "dataplane/egress/egress_queue.h"
#include "dataplane/retry/resequence_buffer.h"

namespace sluice::config {
namespace {

constexpr int64_t small_page = 4096;
constexpr int64_t huge_page = 2 * 1024 * 1024;
constexpr std::string_view huge_pages = "/sys/kernel/mm/hugepages/hugepages-2048kB/";

// --- memory needed -------------------------------------------------------------------------------

bool any_needs(const Configuration& configuration, BufferNeed need) {
    return std::ranges::any_of(configuration.ports, [&](const PortConfig& port) {
        return !port.vacant && traits_of_device(port.device)->buffers == need;
    });
}

// Returns the number in `queues=` of a device string.
unsigned queues_of(const PortConfig& port) {
    constexpr std::string_view word = ",queues=";
    const std::size_t at = port.device.find(word);
    unsigned queues = 1;
    if (at != std::string::npos) {
        const char* const digits = port.device.data() + at + word.size();
        std::from_chars(digits, port.device.data() + port.device.size(), queues);
    }
    return std::clamp(queues, 1U, 16U);
}

std::size_t buffers_in_device(const PortConfig& port, const PortSettings& settings) {
    DeviceRings rings{.queues = queues_of(port),
                      .is_underlay = port.underlay.has_value(),
                      .leads_to_many = port.tunnel && leads_to_many(port.tunnel->encapsulation),
                      .by_nic = settings.pfc.by == PfcBy::queues};
    if (port.rx_descriptors != 0) rings.receive = port.rx_descriptors;
    if (port.tx_descriptors != 0) rings.transmit = port.tx_descriptors;
    return buffers_in(*traits_of_device(port.device), rings) + frames_behind_gaps(settings.retry);
}

// The retry tables have entries for a buffer full of frames of the shortest length, 46 octets.
// Their size may be rounded up to twice as much (dataplane/retry/: replay_buffer.h, retry_sender.h,
// resequence_buffer.h).
int64_t octets_of(const RetrySettings& retry) {
    const int64_t sent = retry.buffer.count() / 46;
    const auto kept = static_cast<int64_t>(frames_behind_gaps(retry));
    return retry.buffer.count() + sent * (12 + 2 * 16) + kept * 48 + retry.resequence.count() / 8;
}

int64_t octets_of_buffer(const Configuration& configuration) {
    // DPDK's headers, and its headroom before a frame.
    constexpr int64_t before_frame = 64 + 128 + 128;
    constexpr int64_t beyond_frame = 67;  // octets that pmd_glue/pool.cc adds after a frame
    constexpr int64_t tags_and_header = 22;
    if (any_needs(configuration, BufferNeed::page)) return small_page;
    int64_t longest = 0;
    for (const PortConfig& port : configuration.ports) {
        if (!port.vacant) longest = std::max(longest, (port.mtu + port.in_front).count());
    }
    const auto whole_pages = [](int64_t octets) {
        return (octets + small_page - 1) / small_page * small_page;
    };
    const int64_t wanted = longest + tags_and_header + beyond_frame;
    const int64_t octets = before_frame + (wanted <= 2048 ? 2048 : whole_pages(wanted));
    return any_needs(configuration, BufferNeed::hardware) ? whole_pages(octets) : octets;
}

// --- memory available ----------------------------------------------------------------------------

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    return text.str();
}

// Returns nothing if the text is not a number, such as `max`.
std::optional<int64_t> number_in(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
    if (error != std::errc() || end == text.begin()) return std::nullopt;
    return number;
}

// Returns the number that follows `name` at the beginning of a line.
std::optional<int64_t> number_behind(std::string_view text, std::string_view name) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        if (line.starts_with(name)) return number_in(line.substr(name.size()));
        at = end + 1;
    }
    return std::nullopt;
}

// The kernel's files about the memory of control groups, for cgroup v2 and v1. A machine has one of
// these hierarchies or both; only one of them limits memory.
struct GroupFiles {
    std::string_view line;  // text before the group's path in /proc/self/cgroup
    std::string_view folder;
    std::string_view most;
    std::string_view taken;
    // Keys of memory.stat: memory that the kernel reclaims before an allocation fails, as in
    // MemAvailable.
    std::array<std::string_view, 3> droppable;
};
constexpr std::array hierarchies = {
    GroupFiles{"0::",
               "/sys/fs/cgroup",
               "memory.max",
               "memory.current",
               {"active_file ", "inactive_file ", "slab_reclaimable "}},
    GroupFiles{":memory:",
               "/sys/fs/cgroup/memory",
               "memory.limit_in_bytes",
               "memory.usage_in_bytes",
               {"total_active_file ", "total_inactive_file "}}};
// Cgroup v1 reports a number above this if there is no limit.
constexpr int64_t no_bound = int64_t{1} << 62;

int64_t droppable(std::string_view statistics, const GroupFiles& files) {
    int64_t sum = 0;
    for (const std::string_view name : files.droppable) {
        if (name.empty()) continue;
        sum += number_behind(statistics, name).value_or(0);
    }
    return sum;
}

// Returns the smallest amount of free memory in the group and its ancestors.
int64_t allowed_by_groups(const std::string& root, const GroupFiles& files) {
    const std::string own = text_of(root + "/proc/self/cgroup");
    const std::size_t at = own.find(std::string(files.line) + '/');
    if (at == std::string::npos) return INT64_MAX;
    const std::size_t path = at + files.line.size();
    std::string group = own.substr(path, own.find('\n', path) - path);
    int64_t allowed = INT64_MAX;
    while (true) {
        const std::string folder =
            fmt::format("{}{}{}/", root, files.folder, group == "/" ? "" : group);
        const auto most = number_in(text_of(folder + std::string(files.most)));
        const auto taken = number_in(text_of(folder + std::string(files.taken)));
        if (most && *most < no_bound && taken) {
            const int64_t back = droppable(text_of(folder + "memory.stat"), files);
            allowed = std::min(allowed, *most - *taken + std::min(back, *taken));
        }
        if (group.size() <= 1) return std::max<int64_t>(allowed, 0);
        group.resize(std::max<std::size_t>(group.rfind('/'), 1));
    }
}

int64_t allowed_by_groups(const std::string& root) {
    int64_t allowed = INT64_MAX;
    for (const GroupFiles& files : hierarchies) {
        allowed = std::min(allowed, allowed_by_groups(root, files));
    }
    return allowed;
}

std::string size_of(int64_t octets) {
    constexpr double gibibyte = 1 << 30;
    return fmt::format("{:.1f} GiB", static_cast<double>(octets) / gibibyte);
}

}  // namespace

MemoryNeeded memory_needed(const Configuration& configuration) {
    constexpr int64_t beside = 64 * 1024 * 1024;
    constexpr std::size_t cached = 384;  // buffers in the cache of one lcore
    const Settings& settings = configuration.settings;
    std::size_t places = 0;
    std::size_t in_devices = 0;
    int64_t of_retry = 0;  // octets of replay buffers and of their tables
    // Buffers of a port that is added later, whatever its kind.
    std::size_t most = std::size_t{2} * usual_ring;
    for (std::size_t port = 0; port < configuration.ports.size(); ++port) {
        if (configuration.ports[port].vacant) continue;
        const std::size_t held = buffers_in_device(configuration.ports[port], settings.ports[port]);
        in_devices += held;
        const RetrySettings& retry = settings.ports[port].retry;
        if (retry.is_on) of_retry += octets_of(retry);
        most = std::max(most, held);
        ++places;
    }
    if (configuration.hotplug.ports > places) {
        in_devices += (configuration.hotplug.ports - places) * most;
        places = configuration.hotplug.ports;
    }
    const std::size_t buffers = most_frames_in_buffer(settings) + most_frames_overdrawn(settings) +
                                places * EgressQueue::most_frames_of_output(settings.workers) +
                                in_devices + settings.workers * (max_burst + 1) + places +
                                (1 + settings.workers) * cached;
    MemoryNeeded needed{.buffers = static_cast<int64_t>(buffers),
                        .octets_each = octets_of_buffer(configuration)};
    needed.octets = needed.buffers * needed.octets_each + beside + of_retry;
    return needed;
}

int64_t MemoryFree::most() const {
    const int64_t with_reserved = may_reserve ? huge + available / 2 : huge;
    return std::max(with_reserved, std::min(available, allowed));
}

std::optional<MemoryFree> memory_free(const std::string& root) {
    const auto kilobytes = number_behind(text_of(root + "/proc/meminfo"), "MemAvailable:");
    if (!kilobytes) return std::nullopt;
    const std::string pages = fmt::format("{}{}", root, huge_pages);
    const auto free = number_in(text_of(pages + "free_hugepages"));
    return MemoryFree{.huge = free.value_or(0) * huge_page,
                      .available = *kilobytes * 1024,
                      .allowed = allowed_by_groups(root),
                      .may_reserve = ::access((pages + "nr_hugepages").c_str(), W_OK) == 0};
}

std::optional<Fault> memory_fault(const Configuration& configuration, const std::string& root) {
    const MemoryNeeded needed = memory_needed(configuration);
    const auto free = memory_free(root);
    if (!free || needed.octets <= free->most()) return std::nullopt;
    const std::string group = free->allowed < free->available
                                  ? fmt::format(", {} by control groups", size_of(free->allowed))
                                  : "";
    return Fault{
        .file = configuration.source.file,
        .at = configuration.source.position_of("buffer.size"),
        .path = "buffer.size",
        .what = fmt::format("{} frame buffers of {} octets take {}, and there are {} of free huge "
                            "pages and {} of other memory{}",
                            needed.buffers, needed.octets_each, size_of(needed.octets),
                            size_of(free->huge), size_of(free->available), group),
        .remedy = "lower buffer.size or mtu, raise buffer.cell, or give the machine more memory"};
}

}  // namespace sluice::config
