#include "pmd_glue/receive_sockets.h"

#include <sys/socket.h>
#include <algorithm>
#include <span>
#include <vector>

namespace sluice::pmd {

void ReceiveSockets::use(const Ports& ports) {
    count_ = 1;
    for (const PortBursts* const port : ports) {
        if (port == nullptr || port->tunnel_end() != nullptr) continue;
        const std::vector<int> sockets = port->sockets();
        if (sockets.empty() || !std::ranges::all_of(sockets, [&](int one) { return add(one); })) {
            count_ = 1;
            return;
        }
    }
}

bool ReceiveSockets::add(int socket) {
    if (count_ == sockets_.size()) return false;
    sockets_[count_++] = {.fd = socket, .events = POLLIN};
    return true;
}

ReceiveSockets::End ReceiveSockets::wait(Nanos longest) {
    constexpr long second = 1'000'000'000;
    const timespec most{longest.count() / second, longest.count() % second};
    const int ready = ::ppoll(sockets_.data(), count_, &most, nullptr);
    if (ready <= 0) return ready == 0 ? End::time : End::arrival;
    End end = End::woken;
    for (const pollfd& socket : std::span(sockets_).subspan(1, count_ - 1)) {
        if (socket.revents == 0) continue;
        end = End::arrival;
        if ((socket.revents & POLLERR) == 0) continue;
        int error = 0;  // reading the error clears it
        socklen_t length = sizeof error;
        ::getsockopt(socket.fd, SOL_SOCKET, SO_ERROR, &error, &length);
    }
    return end;
}

}  // namespace sluice::pmd
