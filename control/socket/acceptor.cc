#include "control/socket/acceptor.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sluice::control {
namespace {

int accept_from(int listener) {
    return ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int make_spare() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }

bool has_run_out(int error) { return error == EMFILE || error == ENFILE; }

// Whether accept(2) failed because of this one client: the client has disconnected, or is not
// connected yet.
bool is_of_client(int error) {
    switch (error) {
        case EAGAIN:
        case EINTR:
        case ECONNABORTED:
        case EPERM:
        case EPROTO:
        case ENETDOWN:
        case ENOPROTOOPT:
        case EHOSTDOWN:
        case ENONET:
        case EHOSTUNREACH:
        case EOPNOTSUPP:
        case ENETUNREACH:
            return true;
        default:
            return false;
    }
}

}  // namespace

Acceptor::Acceptor(Loop& loop, int listener, unsigned reserve, Hooks hooks)
    : loop_(loop),
      listener_(listener),
      reserve_(reserve),
      hooks_(std::move(hooks)),
      spare_(make_spare()),
      source_(loop.watch(listener, EPOLLIN, [this] { accept_one(); })) {}

Acceptor::~Acceptor() {
    if (spare_ >= 0) ::close(spare_);
}

// Whether a descriptor is one of the last `reserve`. The lowest free number is always assigned, so
// a high number shows that few are free.
bool Acceptor::is_of_reserve(int descriptor) const {
    rlimit limit{};
    if (reserve_ == 0 || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
    return limit.rlim_cur != RLIM_INFINITY &&
           static_cast<rlim_t>(descriptor) + reserve_ >= limit.rlim_cur;
}

void Acceptor::accept_one() {
    int socket = accept_from(listener_);
    while (socket < 0 && has_run_out(errno)) {
        if (!hooks_.make_room()) return turn_one_away();
        socket = accept_from(listener_);
    }
    if (socket < 0) {
        if (!is_of_client(errno)) take_a_rest();
        return;
    }
    if (is_of_reserve(socket) && !hooks_.make_room()) {
        hooks_.turn_away(socket);
        ::close(socket);
        return;
    }
    hooks_.came(socket);
}

void Acceptor::turn_one_away() {
    if (spare_ >= 0) ::close(std::exchange(spare_, -1));
    const int socket = accept_from(listener_);
    if (socket >= 0) {
        hooks_.turn_away(socket);
        ::close(socket);
    }
    spare_ = make_spare();
    if (socket < 0) take_a_rest();
}

void Acceptor::take_a_rest() {
    source_->wait_for(0);
    resting_ = loop_.every(rest, [this] {
        source_->wait_for(EPOLLIN);
        resting_.reset();
    });
}

}  // namespace sluice::control
