// CreditsSnapshot: what ports go by, and those that go by credit, as JSON: the noun `credits`
// (nouns.h), as snapshot.h has them; and why one goes by PFC. The keys are in README.md.
#pragma once

#include <string_view>

#include "control/show/snapshot.h"

namespace sluice::control {

Json credits_snapshot(const View& view, bool all);

std::string_view name_of(FlowControl control);
// `credit`, `pfc` (its peer gives none), `starting` or `no_link`; null: it does not go by it.
Json credit_state_of(const View& view, PortIndex port);
// A sentence: why a port that is to go by credit does not.
std::string_view why_no_credit(const Switch& dataplane, PortIndex port);

}  // namespace sluice::control
