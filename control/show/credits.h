// CreditsSnapshot: ports with credit-based flow control as JSON: the noun `credits`
// (control/nouns.md lists its keys), and the reason if such a port uses PFC instead.
// Bound: ports times priorities.
#pragma once

#include <string_view>

#include "control/show/snapshot.h"

namespace sluice::control {

Json credits_snapshot(const View& view, bool all);

std::string_view name_of(FlowControl control);
// Returns `credit`, `pfc` (the peer has no credit, so PFC is used), `starting` or `no_link`; null
// if the port is not configured for credit.
Json credit_state_of(const View& view, PortIndex port);
// Returns why a port that is configured for credit does not use credit, as a sentence for people.
std::string_view why_no_credit(const Switch& dataplane, PortIndex port);

}  // namespace sluice::control
