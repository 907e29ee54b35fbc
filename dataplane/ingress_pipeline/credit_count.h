// Credit of received frames: counts the frames received from the peer of a port with credit, and
// processes the peer's updates, which report the credit that it has consumed.
#pragma once

#include <span>

#include "dataplane/credits/credit_watch.h"
#include "dataplane/ingress_pipeline/verdicts.h"
#include "dataplane/types/frame.h"

namespace sluice {

// Counts frames and updates in the order of arrival, since an update covers the frames that were
// sent before it. A frame with faulty headers has no priority; its credit is returned like that of
// a lost frame. A loop probe of another switch is not counted either: a peer sends its own probes
// without credit.
void count_credit(PortCredit& credit, std::span<const Frame> burst, Verdicts& verdicts, Nanos now);

}  // namespace sluice
