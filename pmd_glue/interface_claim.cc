#include "pmd_glue/interface_claim.h"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sluice::pmd {
namespace {

constexpr std::size_t longest_note = 1000;

// Returns an empty text if the network namespace is not known.
std::string prefix() {
    struct stat space {};
    if (::stat("/proc/self/ns/net", &space) != 0) return {};
    return std::to_string(space.st_ino) + "-";
}

std::string path_of(const std::string& interface) {
    const std::string space = prefix();
    return space.empty() ? space : std::string(run_folder) + "/" + space + interface;
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
    if (lock_ && note().empty()) lock_.remove();
}

std::vector<std::string> InterfaceClaim::left() {
    const std::string space = prefix();
    std::vector<std::string> interfaces;
    std::error_code ignored;
    for (std::filesystem::directory_iterator entry(run_folder, ignored), end;
         !space.empty() && entry != end; entry.increment(ignored)) {
        const std::string name = entry->path().filename();
        if (name.starts_with(space)) interfaces.push_back(name.substr(space.size()));
    }
    return interfaces;
}

std::string InterfaceClaim::note() const {
    std::string text(longest_note, '\0');
    const ssize_t got = lock_ ? ::pread(lock_.descriptor(), text.data(), text.size(), 0) : 0;
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return text;
}

void InterfaceClaim::write_note(const std::string& text) {
    if (!lock_ || ::ftruncate(lock_.descriptor(), 0) != 0) return;
    // If the text does not fit, the file is emptied for the next owner.
    if (::pwrite(lock_.descriptor(), text.data(), text.size(), 0) !=
        static_cast<ssize_t>(text.size())) {
        [[maybe_unused]] const int emptied = ::ftruncate(lock_.descriptor(), 0);
    }
}

}  // namespace sluice::pmd
