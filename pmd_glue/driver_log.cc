#include "pmd_glue/driver_log.h"

#include <bpf/libbpf.h>
#include <dlfcn.h>
#include <rte_log.h>
#include <sys/mman.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <utility>
#include <vector>

#include "pmd_glue/memory_limit.h"
#include "pmd_glue/standard_error.h"

namespace sluice::pmd {
namespace {

constexpr std::size_t kept = 64 * 1024;

struct Log {
    std::mutex mutex;
    std::string text;
    int standard_error = STDERR_FILENO;  // a duplicate while standard error is captured
    bool captured = false;
    bool echo = false;

    void append(std::string_view more) {
        const std::lock_guard lock(mutex);
        text.append(more);
        if (text.size() > kept) text.erase(0, text.size() - kept);
        if (echo) write_without_waiting(standard_error, more);
    }
};

Log& driver_log() {
    static Log log;
    return log;
}

ssize_t write_to_log(void*, const char* text, std::size_t length) {
    driver_log().append({text, length});
    return static_cast<ssize_t>(length);
}

[[gnu::format(printf, 2, 0)]] int print_to_log(enum libbpf_print_level level, const char* format,
                                               va_list arguments) {
    if (level == LIBBPF_DEBUG) return 0;
    std::array<char, 1024> line{};
    const int length = std::vsnprintf(line.data(), line.size(), format, arguments);
    driver_log().append(line.data());
    return length;
}

// Takes no lock: the aborting thread may hold the log's lock, and no other thread logs any more.
void print_at_abort(int) {
    const Log& log = driver_log();
    if (!log.echo) write_without_waiting(log.standard_error, log.text);
}

// The af_xdp driver loads libxdp, which has its own hook of the same signature.
void hook_libxdp() {
    void* library = ::dlopen("libxdp.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) return;
    using Hook = void* (*)(int (*)(enum libbpf_print_level, const char*, va_list));
    if (void* const symbol = ::dlsym(library, "libxdp_set_print"); symbol != nullptr) {
        reinterpret_cast<Hook>(symbol)(print_to_log);
    }
    ::dlclose(library);
}

struct Known {
    std::string_view said;
    std::string_view remedy;  // {} is replaced by the interface or address
    bool of_memory = false;   // a memory limit of the process may be the cause
};

// The first match wins, so special texts precede general ones.
constexpr std::array known_failures = {
    Known{"Couldn't load trivial BPF program",
          "loading an XDP program needs CAP_BPF and CAP_NET_ADMIN: run as root, or "
          "`setcap cap_net_admin,cap_net_raw,cap_bpf,cap_ipc_lock+ep` on the program"},
    Known{"Failed to create umem",
          "the buffers cannot be locked in memory: raise the limit with `ulimit -l unlimited` "
          "(LimitMEMLOCK=infinity in a systemd unit)"},
    Known{"Failed to create xsk socket",
          "another process has the interface's queue: see which with `ss --xdp -p`, and stop it"},
    Known{"larger than combined queue count",
          "give the interface that many queues with `ethtool -L {} combined N`, or use fewer"},
    Known{"bytes will not fit in mbuf",
          "its frames are larger than the buffers: lower the MTU of the port"},
    Known{"Cannot get hugepage information",
          "no 2 MB page is free, or stale files hold them: `ls /dev/hugepages`, then "
          "`echo 256 > /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages`"},
    Known{"Not enough memory available",
          "too few huge pages are free: reserve more with "
          "`echo 512 > /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages`, or lower "
          "buffer.size",
          true},
    Known{"primary running?",
          "another DPDK process uses the same --file-prefix: leave the option out, ours is unique"},
    Known{"not compatible with --in-memory",
          "that memory option and --in-memory exclude each other: leave one out after `--`"},
    Known{"because (--lcores) is set",
          "the cores come from the configuration: leave -c, -l and --lcores out after `--`"},
    Known{"unrecognized option", "EAL does not know the option: see `dpdk-testpmd --help`"},
    Known{"invalid option", "EAL does not know the option: see `dpdk-testpmd --help`"},
    Known{
        "Cannot allocate memory",
        "there is not enough memory for the buffers: lower buffer.size, or reserve huge pages with "
        "`echo 512 > /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages`",
        true},
    Known{"Operation not permitted", "the privilege is missing: run as root"},
    Known{"No space left on device", "DPDK has no room for a further device: use fewer ports"},
};

// EAL logs this if no hugetlbfs is mounted. With --in-memory, which the switch uses, EAL continues,
// so this is the reason for a failure only if the log has no other reason.
constexpr Known may_go_on{
    "no mounted hugetlbfs",
    "mount it with `mount -t hugetlbfs none /dev/hugepages` (in a container, mount the host's)"};

std::string with_target(std::string_view remedy, std::string_view target) {
    std::string text;
    for (std::size_t at = 0; at < remedy.size(); ++at) {
        if (remedy.substr(at, 2) == "{}") {
            text += target;
            ++at;
        } else {
            text += remedy[at];
        }
    }
    return text;
}

// Joins the last lines of the log into one line.
std::string last_words(std::string_view log) {
    std::vector<std::string_view> lines;
    while (!log.empty()) {
        const std::size_t end = log.find('\n');
        const std::string_view line = log.substr(0, end);
        // Informative lines, and EAL's usage, do not explain a failure.
        if (!line.empty() && line.find_first_of(" \t") != 0 && !line.ends_with(':') &&
            line.find("Detected") == line.npos && line.find(may_go_on.said) == line.npos) {
            lines.push_back(line);
        }
        log = end == log.npos ? std::string_view() : log.substr(end + 1);
    }
    std::string words;
    for (std::size_t i = lines.size() > 3 ? lines.size() - 3 : 0; i < lines.size(); ++i) {
        if (!words.empty()) words += " / ";
        words += lines[i];
    }
    return words;
}

}  // namespace

void capture_driver_log(bool echo) {
    Log& log = driver_log();
    if (!log.captured) {
        log.captured = true;
        log.echo = echo;
        std::signal(SIGABRT, print_at_abort);
        cookie_io_functions_t functions{};
        functions.write = write_to_log;
        std::FILE* const stream = ::fopencookie(nullptr, "w", functions);
        if (stream != nullptr) {
            std::setvbuf(stream, nullptr, _IOLBF, 1024);
            rte_openlog_stream(stream);
        }
        libbpf_set_print(print_to_log);
    }
    hook_libxdp();  // EAL loads libxdp, so the hook is set again after EAL started
}

std::string take_driver_log() {
    Log& log = driver_log();
    const std::lock_guard lock(log.mutex);
    return std::exchange(log.text, {});
}

std::string remedy_for(std::string_view log, std::string_view target) {
    for (const Known& known : known_failures) {
        if (log.find(known.said) == log.npos) continue;
        const std::string limit = known.of_memory ? remedy_for_memory_limit() : "";
        return limit.empty() ? with_target(known.remedy, target) : limit;
    }
    return {};
}

Error explain(std::string key, std::string what, std::string_view target) {
    const std::string log = take_driver_log();
    std::string remedy = remedy_for(log, target);
    if (remedy.empty()) {
        const std::string words = last_words(log);
        if (!words.empty()) {
            remedy = "the driver reports: " + words;
        } else if (log.find(may_go_on.said) != log.npos) {
            remedy = may_go_on.remedy;
        } else {
            remedy = "the driver gave no reason";
        }
    }
    return {std::move(key), std::move(what), std::move(remedy)};
}

StandardStreamsCaptured::StandardStreamsCaptured()
    : output_(::dup(STDOUT_FILENO)),
      error_(::dup(STDERR_FILENO)),
      file_(::memfd_create("eal-output", MFD_CLOEXEC)) {
    std::fflush(nullptr);
    if (!file_.is_open()) return;
    ::dup2(file_.number(), STDOUT_FILENO);
    ::dup2(file_.number(), STDERR_FILENO);
    driver_log().standard_error = error_.number();
}

StandardStreamsCaptured::~StandardStreamsCaptured() {
    std::fflush(nullptr);
    driver_log().standard_error = STDERR_FILENO;
    if (output_.is_open()) ::dup2(output_.number(), STDOUT_FILENO);
    if (error_.is_open()) ::dup2(error_.number(), STDERR_FILENO);
    if (!file_.is_open()) return;
    std::array<char, 4096> text{};
    off_t offset = 0;
    for (ssize_t got; (got = ::pread(file_.number(), text.data(), text.size(), offset)) > 0;
         offset += got) {
        driver_log().append({text.data(), static_cast<std::size_t>(got)});
    }
}

}  // namespace sluice::pmd
