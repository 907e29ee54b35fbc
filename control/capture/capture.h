// Capture: one capture, as a feed for its client (stream.h): takes the frames that workers copied,
// keeps those that pass the filter, sends them in order of time, and ends after a number of frames
// or when the client requests it.
//
// The workers' rings are emptied each time the client has taken a piece. If the client is slow the
// rings fill up, and frames for which they have no room are counted as lost.
// Bound: a piece holds at most what the rings hold. Frames are in order, except for those that
// several workers copied within the few milliseconds between two pieces. Times are those of the
// system clock. The times of a piece are computed from the workers' clock, with an error of some
// microseconds and one poll.
#pragma once

#include <string>
#include <vector>

#include "control/capture/captures.h"

namespace sluice::control {

class Capture : public Feed {
  public:
    static constexpr std::chrono::seconds counts_period{1};  // time between two messages of counts

    Capture(Captures& captures, Captures::Slot& slot, CaptureOptions options,
            Captures::OnEnd ended);
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    ~Capture() override;

    std::string next(Clock::time_point now) override;
    [[nodiscard]] bool is_over() const override { return is_over_; }
    void finish() override { finished_ = true; }

  private:
    // One message within `messages_`.
    struct Part {
        int64_t time;      // ns since 1970
        std::size_t at;    // offset, octets
        std::size_t size;  // octets
    };

    void take(CaptureRing& ring);
    void compare_clocks();
    [[nodiscard]] std::string in_order();
    void count_lost();

    Captures& captures_;
    Captures::Slot& slot_;
    const CaptureOptions options_;
    const Captures::OnEnd on_end_;
    CaptureCounts counts_;
    int64_t since_1970_ = 0;  // ns: the system time at which the workers' clock was 0
    bool has_begun_ = false;  // all workers copy frames for the capture
    bool finished_ = false;   // the client requested the end
    bool is_over_ = false;
    Clock::time_point counts_sent_at_;
    std::string messages_;
    std::vector<Part> parts_;
};

}  // namespace sluice::control
