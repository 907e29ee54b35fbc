#include "pmd_glue/interface_claim.h"

#include <sys/stat.h>
#include <utility>

namespace sluice::pmd {
namespace {

// Empty: the network namespace is not known.
std::string path_of(const std::string& interface) {
    struct stat space {};
    if (::stat("/proc/self/ns/net", &space) != 0) return {};
    return std::string(run_folder) + "/" + std::to_string(space.st_ino) + "-" + interface;
}

}  // namespace

tl::expected<InterfaceClaim, Error> InterfaceClaim::take(const std::string& key,
                                                         const std::string& interface) {
    InterfaceClaim claim;
    const std::string path = path_of(interface);
    if (path.empty()) return claim;
    auto lock = LockFile::take({.key = key, .path = path, .thing = interface});
    if (!lock) return tl::unexpected(std::move(lock.error()));
    claim.lock_ = std::move(*lock);
    return claim;
}

InterfaceClaim& InterfaceClaim::operator=(InterfaceClaim&& other) noexcept {
    std::swap(lock_, other.lock_);
    return *this;
}

InterfaceClaim::~InterfaceClaim() {
    if (lock_) lock_.remove();
}

}  // namespace sluice::pmd
