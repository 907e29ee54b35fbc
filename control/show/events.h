// Event snapshot: events as JSON, from wherever a reader has come to.
//
// A reader that goes on asking for what came after the last number that it saw misses nothing but
// what went out of the log meanwhile, which it sees by a gap in the numbers. One that has seen a
// higher number than there is saw it of a sluiced that has ended: it gets them from the first.
#pragma once

#include <cstddef>
#include <cstdint>

#include "control/event_log.h"
#include "control/show/snapshot.h"

namespace sluice::control {

// Those with a number above `since`, the oldest first, `most` of them at the most.
Json events_since(const EventLog& log, uint64_t since, std::size_t most = EventLog::capacity);

}  // namespace sluice::control
