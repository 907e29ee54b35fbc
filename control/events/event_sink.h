// EventSink: takes events from all parts of control, adds them to the event log (event_log.h) and
// writes a line of each to the program's log.
//
// All limits on how often an event is repeated are here, with two exceptions below:
// - `admits`: for events that a peer can cause as often as it likes. The kinds of one protocol have
//   a limit together: `burst` at once at a port, and one a second. `limited_kinds` in event_sink.cc
//   lists them.
// - `growth`: for counts. A count that grows is reported at once, and every 10 s while it continues
//   to grow (rate_limited_count.h).
// An event that uses neither is not limited: its reporter reports a state once, when it begins.
// Bound: a limit for each protocol and port, a count for each kind and port that was reported. Used
// by the control loop's thread only. Not done here: move_watch.h limits by address, and the
// recorder reports one recording a second with the number of the others; both texts contain the
// number of reports that were left out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "control/events/event.h"
#include "control/events/event_log.h"
#include "control/events/rate_limited_count.h"
#include "dataplane/pfc/frame_limit.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class EventSink {
  public:
    static constexpr uint32_t burst = 8;

    // Returns the name of a port in the running configuration.
    using PortName = std::function<std::string(PortIndex)>;
    // Writes a line to the program's log.
    using Write = std::function<void(Severity, const std::string& line)>;
    EventSink(PortName name_of, Write write)
        : name_of_(std::move(name_of)), write_(std::move(write)) {}
    EventSink(const EventSink&) = delete;
    EventSink& operator=(const EventSink&) = delete;

    void report(Event event);
    void notice(std::string kind, Where where, std::string text);
    void warn(std::string kind, Where where, std::string text);
    // Adds the event only to the event log, because a line in the program's log might be lost as
    // well.
    void report_silently(const Event& event);

    // Takes one event from the limit of the kind's protocol at that port. Returns whether the limit
    // admits it.
    [[nodiscard]] bool admits(std::string_view kind, const Where& where, Nanos now);
    // Calls `report` if the limit admits the event.
    void report(Event event, Nanos now);

    // Returns how much `count` has grown at a port since the last report; empty: no report is due.
    using Time = RateLimitedCount::Time;
    std::optional<uint64_t> growth(std::string_view kind, const Where& where, uint64_t count,
                                   Time now);
    // Excludes the growth up to `count` from reports.
    void skip(std::string_view kind, const Where& where, uint64_t count);
    // Restarts the reports for another port in the slot, whose counts begin at `count`.
    void begin_anew(std::string_view kind, const Where& where, uint64_t count);

    [[nodiscard]] const EventLog& log() const { return log_; }

  private:
    // A protocol or a kind, and a port.
    using Key = std::pair<std::string, std::optional<PortIndex>>;

    const PortName name_of_;
    const Write write_;
    EventLog log_;
    std::map<Key, FrameLimit> limits_;
    std::map<Key, RateLimitedCount> counts_;
};

}  // namespace sluice::control
