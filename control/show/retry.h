// RetrySnapshot: ports with link-level retry as JSON: the noun `retry` (control/nouns.md lists its
// keys), and the reason if such a port does not use retry.
// Bound: one row a port.
#pragma once

#include <string_view>

#include "control/show/snapshot.h"
#include "dataplane/retry/retry_sender.h"
#include "dataplane/retry/retry_watch.h"

namespace sluice::control {

Json retry_snapshot(const View& view, bool all);

// Returns what happens to frames of priorities with retry while no session numbers them.
RetryAction action_without_session(const RetryWatch& watch);
// Returns why a port that is configured for retry does not use retry, as a sentence for people.
std::string_view why_no_retry(const Switch& dataplane, PortIndex port);

}  // namespace sluice::control
