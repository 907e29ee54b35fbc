// Credit on the way in: what the peer of a port by credit says it sent, and what of that came.
#pragma once

#include <span>

#include "dataplane/credits/credit_watch.h"
#include "dataplane/ingress_pipeline/verdicts.h"
#include "dataplane/types/frame.h"

namespace sluice {

// In the order in which they came: an update says what was sent before it. What is wrong in its
// headers has no priority; its credit comes back with that of what is lost on the way, and so does
// that of another's probes of the loop guard, as the peer sends its own without.
void count_credit(PortCredit& credit, std::span<const Frame> burst, Verdicts& verdicts, Nanos now);

}  // namespace sluice
