#include "control/evpn/daemon_socket.h"

#include <sys/stat.h>

#include <cerrno>
#include <ctime>
#include <fstream>
#include <string_view>
#include <system_error>

namespace sluice::control::evpn {

DaemonSocket::DaemonSocket(std::string path) : path_(std::move(path)), last_(look()) {}

std::optional<DaemonSocket::Identity> DaemonSocket::look() {
    struct stat about {};
    const bool is_there = ::stat(path_.c_str(), &about) == 0;
    const bool is_unseen = !is_there && errno != ENOENT && errno != ENOTDIR;
    why_unseen_ = is_unseen ? std::generic_category().message(errno) : "";
    if (!is_there) return {};
    return Identity(about.st_ino, about.st_ctim.tv_sec * 1'000'000'000 + about.st_ctim.tv_nsec);
}

bool DaemonSocket::is_new() {
    const auto is = look();
    if (!is || is == last_) return false;
    last_ = is;
    return true;
}

std::optional<Nanos> DaemonSocket::age() const {
    struct stat about {};
    if (::stat(path_.c_str(), &about) != 0) return {};
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const Nanos age{(now.tv_sec - about.st_ctim.tv_sec) * 1'000'000'000 +
                    (now.tv_nsec - about.st_ctim.tv_nsec)};
    return age >= Nanos(0) ? std::optional(age) : std::nullopt;
}

bool DaemonSocket::is_held() const {
    std::ifstream sockets("/proc/net/unix");
    // A line ends with the path, behind a space.
    for (std::string line; std::getline(sockets, line);) {
        const std::string_view text(line);
        if (text.ends_with(path_) && text.substr(0, text.size() - path_.size()).ends_with(' ')) {
            return true;
        }
    }
    return false;
}

}  // namespace sluice::control::evpn
