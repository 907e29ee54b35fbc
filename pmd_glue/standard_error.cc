#include "pmd_glue/standard_error.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <climits>
#include <csignal>

namespace sluice::pmd {
namespace {

FileDescriptor open_anew(int descriptor) {
    struct stat about {};
    if (::fstat(descriptor, &about) != 0) return {};
    // A file is not opened again: the new descriptor would write from the file's beginning.
    if (!S_ISFIFO(about.st_mode) && !S_ISCHR(about.st_mode)) return {};
    const std::string name = "/proc/self/fd/" + std::to_string(descriptor);
    return FileDescriptor(::open(name.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

}  // namespace

std::size_t write_without_waiting(int descriptor, std::string_view text) {
    std::size_t written = 0;
    while (written < text.size()) {
        pollfd room{.fd = descriptor, .events = POLLOUT, .revents = 0};
        const int ready = ::poll(&room, 1, 0);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) break;
        // poll(2) reports a pipe as writable only if it has room for PIPE_BUF octets, so a piece of
        // at most this length does not block.
        const std::string_view piece = text.substr(written, PIPE_BUF);
        ssize_t put = ::send(descriptor, piece.data(), piece.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (put < 0 && errno == ENOTSOCK) put = ::write(descriptor, piece.data(), piece.size());
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) break;
        written += static_cast<std::size_t>(put);
    }
    return written;
}

StandardError::StandardError(int descriptor)
    : opened_(open_anew(descriptor)),
      descriptor_(opened_.is_open() ? opened_.number() : descriptor) {}

bool StandardError::offer(std::string_view text) {
    const std::lock_guard lock(mutex_);
    rest_.erase(0, write_without_waiting(descriptor_, rest_));
    if (!rest_.empty()) return false;
    const std::size_t written = write_without_waiting(descriptor_, text);
    if (written > 0) rest_ = text.substr(written);
    return written > 0 || text.empty();
}

void StandardError::write(std::string_view text) {
    if (!offer(text)) lose();
}

void StandardError::stand_in_for(int descriptor) const {
    if (opened_.is_open()) ::dup2(opened_.number(), descriptor);
}

StandardError& standard_error() {
    static StandardError& ours = []() -> StandardError& {
        std::signal(SIGPIPE, SIG_IGN);
        // Never destroyed: the last object to be destroyed may still log.
        auto& made = *new StandardError(STDERR_FILENO);
        made.stand_in_for(STDERR_FILENO);
        return made;
    }();
    return ours;
}

}  // namespace sluice::pmd
