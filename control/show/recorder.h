// Recorder: the recorder's results as JSON: the nouns `bursts` and `recorder`, and the entries of
// one recording, a page at a time (control/nouns.md lists the keys).
#pragma once

#include <cstddef>

#include "control/recorder/recording.h"
#include "control/show/snapshot.h"

namespace sluice::control {

Json bursts_snapshot(const View& view, bool all);
Json recorder_snapshot(const View& view, bool all);

// Largest number of entries in a page.
inline constexpr std::size_t most_entries_of_a_page = 2000;
// Returns the entries from number `from` on, in order of time, and the number at which the next
// page begins; null if there are no more.
Json recording_page(const Recording& recording, std::size_t from);

}  // namespace sluice::control
