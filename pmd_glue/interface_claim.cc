#include "pmd_glue/interface_claim.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <net/if.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sluice::pmd {
namespace {

// From the claim to the program. What was loaded later was so by somebody else.
constexpr uint64_t longest_opening = 10'000'000'000;  // ns

// 0: none.
uint32_t attached_program(const std::string& interface) {
    uint32_t id = 0;
    const auto index = static_cast<int>(::if_nametoindex(interface.c_str()));
    return bpf_xdp_query_id(index, 0, &id) == 0 ? id : 0;
}

struct Program {
    std::string name = "?";
    uint64_t loaded = 0;  // ns since the machine started
};

Program describe(uint32_t id) {
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    const int program = bpf_prog_get_fd_by_id(id);
    if (program < 0) return {};
    bpf_obj_get_info_by_fd(program, &info, &size);
    ::close(program);
    return {.name = info.name, .loaded = info.load_time};
}

// As the kernel takes it when a program is loaded.
uint64_t since_machine_started() {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<uint64_t>(now.tv_nsec);
}

// Empty: it cannot be told.
std::string path_of(const std::string& interface) {
    struct stat space {};
    if (::stat("/proc/self/ns/net", &space) != 0) return {};
    return std::string(run_folder) + "/" + std::to_string(space.st_ino) + "-" + interface;
}

struct Record {
    uint32_t program = 0;  // of ours; 0: none that is known
    uint64_t opening = 0;  // since when its driver may attach another; 0: it does not
};

Record read_record(int file) {
    std::array<char, 40> text{};
    if (file < 0 || ::pread(file, text.data(), text.size() - 1, 0) <= 0) return {};
    char* behind = nullptr;
    Record record;
    record.program = static_cast<uint32_t>(std::strtoul(text.data(), &behind, 10));
    record.opening = std::strtoull(behind, nullptr, 10);
    return record;
}

// Always as long, by one call: who is killed leaves the one record or the other.
void write_record(int file, const Record& record) {
    std::array<char, 40> text{};
    const int length = std::snprintf(text.data(), text.size(), "%010u %020llu\n", record.program,
                                     static_cast<unsigned long long>(record.opening));
    if (::pwrite(file, text.data(), static_cast<size_t>(length), 0) < 0) return;
}

// The recorded one, or one that libxdp has loaded for who was killed before he could record it.
bool is_ours(uint32_t program, const Record& record) {
    if (program == record.program) return true;
    if (record.opening == 0) return false;
    const Program found = describe(program);
    return (found.name == "xsk_def_prog" || found.name == "xdp_dispatcher") &&
           found.loaded >= record.opening && found.loaded - record.opening < longest_opening;
}

// What libxdp pinned for a program that it let others share an interface with. To take it away
// itself it would ask for the program by its number, which takes CAP_SYS_ADMIN.
void remove_pins(unsigned index, uint32_t program) {
    std::error_code ignored;
    std::filesystem::remove_all(
        "/sys/fs/bpf/xdp/dispatch-" + std::to_string(index) + "-" + std::to_string(program),
        ignored);
}

}  // namespace

tl::expected<InterfaceClaim, Error> InterfaceClaim::take(const std::string& key,
                                                         const std::string& interface) {
    InterfaceClaim claim;
    claim.key_ = key;
    claim.interface_ = interface;
    claim.index_ = ::if_nametoindex(interface.c_str());
    const std::string path = path_of(interface);
    if (path.empty()) return claim;
    auto lock = LockFile::take({.key = key, .path = path, .thing = interface});
    if (!lock) return tl::unexpected(std::move(lock.error()));
    claim.lock_ = std::move(*lock);
    return claim;
}

std::optional<Error> InterfaceClaim::check_program() const {
    const uint32_t program = attached_program(interface_);
    if (program == 0 || is_ours(program, read_record(lock_.descriptor()))) return {};
    return Error{key_,
                 "an XDP program is attached to " + interface_ + " (" + describe(program).name +
                     ", id " + std::to_string(program) + ")",
                 "stop who uses it, or, if nobody does, detach it with `ip link set dev " +
                     interface_ + " xdp off`"};
}

void InterfaceClaim::expect_program() const {
    if (!lock_) return;
    write_record(lock_.descriptor(),
                 {.program = attached_program(interface_), .opening = since_machine_started()});
}

void InterfaceClaim::record_program() const {
    if (!lock_) return;
    write_record(lock_.descriptor(), {.program = attached_program(interface_), .opening = 0});
}

void InterfaceClaim::abandon() {
    const InterfaceClaim ended = std::move(*this);
    if (!ended.lock_) return;
    const uint32_t program = attached_program(ended.interface_);
    if (program != 0 && is_ours(program, read_record(ended.lock_.descriptor()))) {
        bpf_xdp_detach(static_cast<int>(ended.index_), 0, nullptr);
    }
}

InterfaceClaim& InterfaceClaim::operator=(InterfaceClaim&& other) noexcept {
    std::swap(key_, other.key_);
    std::swap(interface_, other.interface_);
    std::swap(index_, other.index_);
    std::swap(lock_, other.lock_);
    return *this;
}

// The file stays where it says whose the program is that a killed process left.
InterfaceClaim::~InterfaceClaim() {
    if (!lock_) return;
    const uint32_t program = attached_program(interface_);
    const Record record = read_record(lock_.descriptor());
    if (program != 0 && is_ours(program, record)) return;
    if (record.program != 0) remove_pins(index_, record.program);
    lock_.remove();
}

}  // namespace sluice::pmd
