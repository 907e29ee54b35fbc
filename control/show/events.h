// EventsSnapshot: the event log as JSON, from a given event number on.
//
// A reader that always requests the events after the last number that it saw misses none, unless
// the log has dropped some of them; then the numbers have a gap. If `since` is higher than any
// number, it is from an earlier run of sluiced, and the reader gets all events.
#pragma once

#include <cstddef>
#include <cstdint>

#include "control/events/event_log.h"
#include "control/show/snapshot.h"

namespace sluice::control {

// Returns the events with a number above `since`, oldest first, at most `most` of them.
Json events_since(const EventLog& log, uint64_t since, std::size_t most = EventLog::capacity);

}  // namespace sluice::control
