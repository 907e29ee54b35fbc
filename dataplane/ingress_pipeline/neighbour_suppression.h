// Suppression of the neighbour requests in a burst, where configured (RFC 7432, 10).
#pragma once

#include <span>

#include "dataplane/forward/forwarding.h"
#include "dataplane/ingress/control_receiver.h"
#include "dataplane/ingress_pipeline/verdicts.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/settings.h"

namespace sluice {

// Removes ARP requests and neighbour solicitations that control answers, and copies packets from
// unknown stations to control. A frame that forwarding does not accept is neither answered nor
// copied. A request for which control has no room is forwarded.
void suppress_questions(const PortSettings& port, ControlReceiver& control,
                        Forwarding::Shard& forwarding, std::span<const Frame> burst,
                        Verdicts& verdicts, Nanos now);

}  // namespace sluice
