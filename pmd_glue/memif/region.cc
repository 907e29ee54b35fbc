#include "pmd_glue/memif/region.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sluice::pmd::memif {
namespace {

using Fault = tl::unexpected<std::string>;

void* mapped(int file, std::size_t octets) {
    return ::mmap(nullptr, octets, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

bool cannot_shrink(int file) {
    struct statfs system {};
    const int seals = ::fcntl(file, F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && ::fstatfs(file, &system) == 0 &&
           system.f_type == TMPFS_MAGIC;
}

}  // namespace

tl::expected<Region, std::string> Region::make(std::size_t octets) {
    const auto failed = [](const char* what) {
        return Fault(std::string(what) + ": " + std::strerror(errno));
    };
    FileDescriptor file(::memfd_create("memif", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file.is_open()) return failed("no file in memory can be made");
    if (::ftruncate(file.number(), static_cast<off_t>(octets)) != 0) return failed("no memory");
    if (::fcntl(file.number(), F_ADD_SEALS, F_SEAL_SHRINK) != 0) return failed("it is not sealed");
    void* const start = mapped(file.number(), octets);
    if (start == MAP_FAILED) return failed("it cannot be mapped");
    return Region(std::move(file), {static_cast<uint8_t*>(start), octets});
}

tl::expected<Region, std::string> Region::map(FileDescriptor file, uint64_t octets, bool trusted) {
    if (!file.is_open()) return Fault("a region was received without its file");
    if (octets == 0 || octets > most_octets) return Fault("a region is 1 octet to 4 GiB");
    if (!trusted && !cannot_shrink(file.number())) {
        return Fault("its memory could shrink: turn zero-copy off there, or write `trusted` here");
    }
    struct stat about {};
    if (::fstat(file.number(), &about) != 0 || static_cast<uint64_t>(about.st_size) < octets) {
        return Fault("a region is longer than its file");
    }
    void* const start = mapped(file.number(), octets);
    if (start == MAP_FAILED) return Fault("a region cannot be mapped");
    return Region(FileDescriptor(), {static_cast<uint8_t*>(start), octets});
}

Region::Region(FileDescriptor file, std::span<uint8_t> octets)
    : file_(std::move(file)), octets_(octets) {}

Region::Region(Region&& other) noexcept
    : file_(std::move(other.file_)), octets_(std::exchange(other.octets_, {})) {}

Region& Region::operator=(Region&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(octets_, other.octets_);
    return *this;
}

Region::~Region() {
    if (!octets_.empty()) ::munmap(octets_.data(), octets_.size());
}

}  // namespace sluice::pmd::memif
