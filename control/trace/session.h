// TraceSession: runs one trace: gives the workers its filter and reports what they recorded once
// the wanted frames have left the switch or the time is over.
//
// Only one trace runs at a time: a new trace ends the previous one, whose client gets `superseded`;
// so a client that has disconnected blocks no other client. The records are read after every worker
// has stopped writing to them, so that workers never wait and nothing is copied.
// Bound: checks the records 100 times a second while a trace runs and does nothing otherwise. The
// memory is that of a TraceBoard, allocated at the first trace and kept.
// Not done here: recording (dataplane/trace), JSON (report.h).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "control/loop.h"
#include "dataplane/switch.h"
#include "dataplane/trace/trace_board.h"

namespace sluice::control {

class TraceSession {
  public:
    struct Traced {
        const TracedFrame* frame;
        std::span<const TracedCopy> copies;  // one for each output
    };
    // `complete`: all wanted frames have left. `time`: the time was over. `superseded`: another
    // trace began. `unanswered`: a worker did not stop or start recording in time.
    enum class End : uint8_t { complete, time, superseded, unanswered, last = unanswered };
    // Called with the traced frames, oldest first; the frames are valid until `Done` returns. With
    // `unanswered` there are no frames.
    using Done = std::function<void(End, const std::vector<Traced>&)>;

    TraceSession(Loop& loop, Switch& dataplane, uint8_t workers)
        : loop_(loop), dataplane_(dataplane), workers_(workers) {}

    // Begins a trace. The trace ends after the time `within`, however many frames were recorded.
    void begin(const TraceFilter& filter, std::chrono::milliseconds within, Done done);

  private:
    using Clock = std::chrono::steady_clock;
    struct Request {
        TraceFilter filter;
        std::chrono::milliseconds within;
        Done done;
    };
    enum class Phase : uint8_t { waiting, tracing, ending };

    void check();
    void end(End why);
    void report(End why, const std::vector<Traced>& frames);
    [[nodiscard]] std::vector<Traced> recorded() const;
    [[nodiscard]] bool is_complete() const;

    Loop& loop_;
    Switch& dataplane_;
    const uint8_t workers_;
    std::unique_ptr<TraceBoard> board_;
    std::optional<Request> request_;
    std::optional<Request> next_;
    Phase phase_ = Phase::waiting;
    Clock::time_point until_;
    End why_ = End::complete;
    Loop::SourcePointer timer_;
};

}  // namespace sluice::control
