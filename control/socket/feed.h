// Feed: data that a client is sent piece by piece, over HTTP or on the control socket. A feed makes
// its next piece only once the client has taken the previous piece. So for a slow client at most
// one piece is kept in memory, and states in between are skipped.
#pragma once

#include <chrono>
#include <string>

namespace sluice::control {

using Clock = std::chrono::steady_clock;

class Feed {
  public:
    virtual ~Feed() = default;
    // Returns the next octets; empty: there are none now.
    virtual std::string next(Clock::time_point now) = 0;
    // Whether `next` has returned the last piece.
    [[nodiscard]] virtual bool is_over() const { return false; }
    // Called when the client requests the end; the feed may still send closing data.
    virtual void finish() {}
};

}  // namespace sluice::control
