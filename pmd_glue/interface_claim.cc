#include "pmd_glue/interface_claim.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <net/if.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace sluice::pmd {
namespace {

const std::string folder = "/run/sluice";

// 0: none.
uint32_t attached_program(const std::string& interface) {
    uint32_t id = 0;
    const auto index = static_cast<int>(::if_nametoindex(interface.c_str()));
    return bpf_xdp_query_id(index, 0, &id) == 0 ? id : 0;
}

std::string name_of_program(uint32_t id) {
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    const int program = bpf_prog_get_fd_by_id(id);
    if (program < 0) return "?";
    bpf_obj_get_info_by_fd(program, &info, &size);
    ::close(program);
    return info.name;
}

// Empty: it cannot be told.
std::string path_of(const std::string& interface) {
    struct stat space {};
    if (::stat("/proc/self/ns/net", &space) != 0) return {};
    ::mkdir(folder.c_str(), 0755);
    return folder + "/" + std::to_string(space.st_ino) + "-" + interface;
}

// A lock on a file that its holder has just taken away claims nothing.
bool is_still_there(int file) {
    struct stat about {};
    return ::fstat(file, &about) == 0 && about.st_nlink > 0;
}

uint32_t recorded_program(int file) {
    std::array<char, 16> text{};
    if (file < 0 || ::pread(file, text.data(), text.size() - 1, 0) <= 0) return 0;
    return static_cast<uint32_t>(std::strtoul(text.data(), nullptr, 10));
}

}  // namespace

tl::expected<InterfaceClaim, Error> InterfaceClaim::take(const std::string& key,
                                                         const std::string& interface) {
    InterfaceClaim claim;
    claim.key_ = key;
    claim.interface_ = interface;
    claim.path_ = path_of(interface);
    for (;;) {
        const int file = ::open(claim.path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (file < 0) return claim;
        if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
            ::close(file);
            return tl::unexpected(
                Error{key, "another sluice process has " + interface,
                      "stop it first; `fuser " + folder + "/*` tells which it is"});
        }
        claim.file_ = file;
        if (is_still_there(file)) return claim;
        ::close(std::exchange(claim.file_, -1));
    }
}

std::optional<Error> InterfaceClaim::check_program() const {
    const uint32_t program = attached_program(interface_);
    if (program == 0 || program == recorded_program(file_)) return {};
    return Error{key_,
                 "an XDP program is attached to " + interface_ + " (" + name_of_program(program) +
                     ", id " + std::to_string(program) + ")",
                 "stop who uses it, or, if nobody does, detach it with `ip link set dev " +
                     interface_ + " xdp off`"};
}

void InterfaceClaim::record_program() const {
    if (file_ < 0) return;
    const std::string text = std::to_string(attached_program(interface_)) + "\n";
    if (::ftruncate(file_, 0) == 0 && ::pwrite(file_, text.data(), text.size(), 0) < 0) return;
}

InterfaceClaim::InterfaceClaim(InterfaceClaim&& other) noexcept { *this = std::move(other); }

InterfaceClaim& InterfaceClaim::operator=(InterfaceClaim&& other) noexcept {
    std::swap(key_, other.key_);
    std::swap(interface_, other.interface_);
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    return *this;
}

// The name goes before the lock, so that nobody locks a file that is about to go. It stays where it
// says whose the program is that a killed process left.
InterfaceClaim::~InterfaceClaim() {
    if (file_ < 0) return;
    const uint32_t program = attached_program(interface_);
    if (program == 0 || program != recorded_program(file_)) ::unlink(path_.c_str());
    ::close(file_);
}

}  // namespace sluice::pmd
