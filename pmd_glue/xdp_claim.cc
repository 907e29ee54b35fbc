#include "pmd_glue/xdp_claim.h"

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

int open_claim(const std::string& interface) {
    struct stat space {};
    if (::stat("/proc/self/ns/net", &space) != 0) return -1;
    ::mkdir(folder.c_str(), 0755);
    const std::string path = folder + "/xdp-" + std::to_string(space.st_ino) + "-" + interface;
    return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
}

uint32_t recorded_program(int file) {
    std::array<char, 16> text{};
    if (file < 0 || ::pread(file, text.data(), text.size() - 1, 0) <= 0) return 0;
    return static_cast<uint32_t>(std::strtoul(text.data(), nullptr, 10));
}

}  // namespace

tl::expected<XdpClaim, Error> XdpClaim::take(const std::string& key, const std::string& interface) {
    XdpClaim claim;
    claim.interface_ = interface;
    claim.file_ = open_claim(interface);
    if (claim.file_ >= 0 && ::flock(claim.file_, LOCK_EX | LOCK_NB) != 0) {
        return tl::unexpected(Error{key, "another sluice process has " + interface,
                                    "stop it first; `fuser " + folder + "/*` tells which it is"});
    }
    const uint32_t program = attached_program(interface);
    if (program != 0 && program != recorded_program(claim.file_)) {
        return tl::unexpected(
            Error{key,
                  "an XDP program is attached to " + interface + " (" + name_of_program(program) +
                      ", id " + std::to_string(program) + ")",
                  "stop who uses it, or, if nobody does, detach it with `ip link set dev " +
                      interface + " xdp off`"});
    }
    return claim;
}

void XdpClaim::record() const {
    if (file_ < 0) return;
    const std::string text = std::to_string(attached_program(interface_)) + "\n";
    if (::ftruncate(file_, 0) == 0 && ::pwrite(file_, text.data(), text.size(), 0) < 0) return;
}

XdpClaim::XdpClaim(XdpClaim&& other) noexcept
    : interface_(std::move(other.interface_)), file_(std::exchange(other.file_, -1)) {}

XdpClaim& XdpClaim::operator=(XdpClaim&& other) noexcept {
    std::swap(interface_, other.interface_);
    std::swap(file_, other.file_);
    return *this;
}

XdpClaim::~XdpClaim() {
    if (file_ >= 0) ::close(file_);
}

}  // namespace sluice::pmd
