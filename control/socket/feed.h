// Feed: data that a client is sent piece by piece, over HTTP or on the control socket. A feed makes
// its next piece only once the client has taken the last one. So for a slow client at most one
// piece is kept in memory, and momentary values of the time between are skipped.
#pragma once

#include <chrono>
#include <string>

namespace sluice::control {

using Clock = std::chrono::steady_clock;

class Feed {
  public:
    virtual ~Feed() = default;
    // Returns the next octets; empty: none now.
    virtual std::string next(Clock::time_point now) = 0;
    // True: `next` has returned the last piece.
    [[nodiscard]] virtual bool is_over() const { return false; }
    // The client asks for no more; what closes the matter may still come.
    virtual void finish() {}
};

}  // namespace sluice::control
