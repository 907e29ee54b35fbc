// Capture: one capture as a feed for its client (stream.h): takes what workers copied, keeps what
// passes the filter, tells it in the order of time, and ends after a number of frames, or when the
// client wants no more.
//
// Frames are taken from the workers' rings when the client has taken the last piece: for a client
// that is slow the rings run full, and what finds no room there is counted as lost.
// Bound: a piece is what the rings hold. In order but for what several workers saw within the few
// milliseconds between two pieces. Time is the system's at the piece, less how long ago it was by
// the workers' clock: right to some microseconds, and to a poll.
#pragma once

#include <string>
#include <vector>

#include "control/capture/captures.h"

namespace sluice::control {

class Capture : public Feed {
  public:
    static constexpr std::chrono::seconds news_period{1};  // of counts, where nothing else is told

    Capture(Captures& captures, Captures::Place& place, CaptureOrder order, Captures::Ended ended);
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    ~Capture() override;

    std::string next(Clock::time_point now) override;
    [[nodiscard]] bool is_over() const override { return over_; }
    void finish() override { finished_ = true; }

  private:
    // A message among those of this piece.
    struct Part {
        int64_t time;
        std::size_t at;
        std::size_t size;
    };

    void take(CaptureRing& ring);
    void look_at_clocks();
    [[nodiscard]] std::string in_order();
    void count_lost();

    Captures& captures_;
    Captures::Place& place_;
    const CaptureOrder order_;
    const Captures::Ended ended_;
    CaptureCounts counts_;
    int64_t since_1970_ = 0;  // of the zero of the workers' clock
    bool began_ = false;      // all workers know of it
    bool finished_ = false;
    bool over_ = false;
    Clock::time_point spoke_at_;
    std::string messages_;
    std::vector<Part> parts_;  // of them
};

}  // namespace sluice::control
