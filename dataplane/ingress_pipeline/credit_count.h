// Credit on the way in: what the peer of a port with credit reports that it sent, and what of that
// arrived.
#pragma once

#include <span>

#include "dataplane/credits/credit_watch.h"
#include "dataplane/ingress_pipeline/verdicts.h"
#include "dataplane/types/frame.h"

namespace sluice {

// Counts frames and updates in the order of arrival: an update reports what was sent before it. A
// frame with faulty headers has no priority; its credit is given back like that of a lost frame.
// The same holds for loop probes of another switch, as the peer sends its own probes without
// credit.
void count_credit(PortCredit& credit, std::span<const Frame> burst, Verdicts& verdicts, Nanos now);

}  // namespace sluice
