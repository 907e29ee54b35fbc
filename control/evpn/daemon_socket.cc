#include "control/evpn/daemon_socket.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <ctime>
#include <fstream>
#include <string_view>
#include <system_error>

namespace sluice::control::evpn {

namespace {

template <class Time>  // timespec, or statx_timestamp of statx(2)
Nanos since_epoch(const Time& time) {
    return Nanos(time.tv_sec * 1'000'000'000 + time.tv_nsec);
}

}  // namespace

DaemonSocket::DaemonSocket(std::string path, Nanos now) : path_(std::move(path)) {
    if (const auto file = look()) see(*file, now);
}

std::optional<DaemonSocket::Identity> DaemonSocket::look() {
    struct statx about {};
    const bool is_there =
        ::statx(AT_FDCWD, path_.c_str(), 0, STATX_INO | STATX_BTIME | STATX_MTIME, &about) == 0;
    const bool is_unseen = !is_there && errno != ENOENT && errno != ENOTDIR;
    why_unseen_ = is_unseen ? std::generic_category().message(errno) : "";
    if (!is_there) return {};
    const bool has_birth = (about.stx_mask & STATX_BTIME) != 0;
    return Identity(about.stx_ino, since_epoch(has_birth ? about.stx_btime : about.stx_mtime));
}

bool DaemonSocket::is_new(Nanos now) {
    const auto is = look();
    if (!is || is == last_) return false;
    see(*is, now);
    return true;
}

void DaemonSocket::see(const Identity& file, Nanos now) {
    last_ = file;
    timespec wall{};
    ::clock_gettime(CLOCK_REALTIME, &wall);
    const Nanos age = since_epoch(wall) - file.second;
    began_ = age >= Nanos(0) ? std::optional(now - age) : std::nullopt;
}

bool DaemonSocket::is_held() const {
    std::ifstream sockets("/proc/net/unix");
    // A line of a bound socket ends with a space and the path.
    for (std::string line; std::getline(sockets, line);) {
        const std::string_view text(line);
        if (text.ends_with(path_) && text.substr(0, text.size() - path_.size()).ends_with(' ')) {
            return true;
        }
    }
    return false;
}

}  // namespace sluice::control::evpn
