// Acceptor: takes clients from a listening socket, also when descriptors run out.
//
// Where fewer than `reserve` descriptors are left, `make_room` closes something that matters less,
// such as an idle HTTP client; where it has nothing to close, the client is turned away. A client
// that not even a descriptor is left for is taken by one that is kept for that, and turned away, so
// that he does not wait and the loop does not spin. If that one is gone as well, or the kernel has
// no memory for a client, nobody is taken for `rest`. Bound: one descriptor of its own. Not done
// here: how many clients there may be.
#pragma once

#include <chrono>
#include <functional>

#include "control/loop.h"

namespace sluice::control {

class Acceptor {
  public:
    static constexpr std::chrono::milliseconds rest{100};

    struct Hooks {
        std::function<void(int socket)> came;       // its owner from now on
        std::function<void(int socket)> turn_away;  // says why; it is closed then
        std::function<bool()> make_room;            // false: nothing can be closed
    };
    // `listener` stays its owner's, and outlives this.
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
