// Acceptor: takes clients from a listening socket, also when descriptors run out.
//
// If fewer than `reserve` descriptors are left, `make_room` closes a less important connection,
// such as that of an idle HTTP client; if there is nothing to close, the new client is refused. If
// no descriptor is left at all, the client is accepted with a spare descriptor and refused, so that
// the client does not wait and the loop does not spin. If the spare is gone as well, or the kernel
// has no memory for a client, no client is accepted for `rest`. Bound: one descriptor of its own.
// Not done here: limiting the number of clients.
#pragma once

#include <chrono>
#include <functional>

#include "control/loop.h"

namespace sluice::control {

class Acceptor {
  public:
    static constexpr std::chrono::milliseconds rest{100};

    struct Hooks {
        std::function<void(int socket)> came;  // takes over the new client's socket
        // Reports the reason to a client that is refused; the caller then closes the socket.
        std::function<void(int socket)> turn_away;
        std::function<bool()> make_room;  // returns false if nothing can be closed
    };
    // The caller keeps `listener` open as long as this object lives.
    Acceptor(Loop& loop, int listener, unsigned reserve, Hooks hooks);
    Acceptor(const Acceptor&) = delete;
    Acceptor& operator=(const Acceptor&) = delete;
    ~Acceptor();

  private:
    void accept_one();
    void turn_one_away();
    void take_a_rest();
    [[nodiscard]] bool is_of_reserve(int descriptor) const;

    Loop& loop_;
    int listener_;
    unsigned reserve_;
    Hooks hooks_;
    int spare_;
    Loop::SourcePointer source_;
    Loop::SourcePointer resting_;
};

}  // namespace sluice::control
