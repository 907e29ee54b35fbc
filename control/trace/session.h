// Trace session: orders a trace of the workers, and tells what they noted once the frames asked for
// are through the switch, or the time is over.
//
// One at a time: another that is asked for ends it, which is told, so that one whose client has
// gone holds up nobody. What was noted is read when every worker has let go of it, so none waits
// and nothing is copied.
// Bound: looks at what is noted 100 times a second while one runs, and is idle else; memory is the
// TraceBoard's, taken with the first one and kept.
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
    struct One {
        const TracedFrame* frame;
        std::span<const TracedCopy> copies;
    };
    enum class End : uint8_t { complete, time, superseded, unanswered };
    // With what was noted, oldest first; it is good until this returns. Of `unanswered`, where a
    // worker did not do as ordered, it is nothing.
    using Done = std::function<void(End, const std::vector<One>&)>;

    TraceSession(Loop& loop, Switch& dataplane, uint8_t workers)
        : loop_(loop), dataplane_(dataplane), workers_(workers) {}

    void begin(const TraceFilter& filter, std::chrono::milliseconds within, Done done);

  private:
    using Clock = std::chrono::steady_clock;
    struct Order {
        TraceFilter filter;
        std::chrono::milliseconds within;
        Done done;
    };
    enum class Phase : uint8_t { waiting, tracing, ending };

    void look();
    void end(End why);
    void report(End why, const std::vector<One>& frames);
    [[nodiscard]] std::vector<One> noted() const;
    [[nodiscard]] bool is_complete() const;

    Loop& loop_;
    Switch& dataplane_;
    const uint8_t workers_;
    std::unique_ptr<TraceBoard> board_;
    std::optional<Order> order_;
    std::optional<Order> next_;
    Phase phase_ = Phase::waiting;
    Clock::time_point until_;
    End why_ = End::complete;
    Loop::SourcePointer timer_;
};

}  // namespace sluice::control
