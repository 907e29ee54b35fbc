#include "pmd_glue/arrivals.h"

#include <sys/socket.h>
#include <algorithm>
#include <span>
#include <vector>

namespace sluice::pmd {

void Arrivals::use(const Ports& ports) {
    count_ = 1;
    for (const Port* const port : ports) {
        if (port == nullptr || port->tunnel_end() != nullptr) continue;
        const std::vector<int> sockets = port->sockets();
        if (sockets.empty() || !std::ranges::all_of(sockets, [&](int one) { return add(one); })) {
            count_ = 1;
            return;
        }
    }
}

bool Arrivals::add(int socket) {
    if (count_ == sockets_.size()) return false;
    sockets_[count_++] = {.fd = socket, .events = POLLIN};
    return true;
}

Arrivals::End Arrivals::wait(Nanos longest) {
    constexpr long second = 1'000'000'000;
    const timespec most{longest.count() / second, longest.count() % second};
    if (::ppoll(sockets_.data(), count_, &most, nullptr) <= 0) return End::time;
    End end = End::woken;
    for (const pollfd& socket : std::span(sockets_).subspan(1, count_ - 1)) {
        if (socket.revents == 0) continue;
        end = End::arrival;
        if ((socket.revents & POLLERR) == 0) continue;
        int error = 0;  // to read it ends it
        socklen_t length = sizeof error;
        ::getsockopt(socket.fd, SOL_SOCKET, SO_ERROR, &error, &length);
    }
    return end;
}

}  // namespace sluice::pmd
