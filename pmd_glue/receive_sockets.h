// ReceiveSockets: the sockets by which the ports of a worker receive (af_packet, af_xdp and tap).
// An idle worker waits on them until a frame arrives. Control ends the wait through its own
// descriptor (wakeup.h).
//
// Other devices have no such socket: a worker with a port on another device does not wait here. An
// error of a socket, such as an interface that went down, ends one wait; later waits end when
// frames arrive.
// Bound: one system call over at most most_sockets sockets; nothing while the worker has work.
#pragma once

#include <poll.h>
#include <array>
#include <cstddef>
#include <cstdint>

#include "dataplane/types/units.h"
#include "pmd_glue/tunnels.h"

namespace sluice::pmd {

class ReceiveSockets {
  public:
    // Why a wait ended; `arrival` also if a socket or the wait itself failed.
    enum class End : uint8_t { time, woken, arrival };

    // `wakeup`: becomes readable when control wakes the worker; -1 if control cannot.
    explicit ReceiveSockets(int wakeup) { sockets_[0] = {.fd = wakeup, .events = POLLIN}; }

    // Uses the sockets of these ports from now on.
    void use(const Ports& ports);
    // Adds one more socket. Returns false if there are too many.
    bool add(int socket);
    // Whether every port has sockets and control has a descriptor, so that the worker can sleep.
    [[nodiscard]] bool can_wait() const { return count_ > 1 && sockets_[0].fd >= 0; }
    // Waits for at most `longest`.
    End wait(Nanos longest);

  private:
    static constexpr std::size_t most_sockets = 128;

    std::array<pollfd, 1 + most_sockets> sockets_{};
    std::size_t count_ = 1;
};

}  // namespace sluice::pmd
