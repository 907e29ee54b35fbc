// Suppression of the neighbour requests in a burst, where configured (RFC 7432, 10).
#pragma once

#include <span>

#include "dataplane/forward/forwarding.h"
#include "dataplane/ingress/control_receiver.h"
#include "dataplane/ingress_pipeline/verdicts.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/settings.h"

namespace sluice {

// Takes out ARP requests and neighbour solicitations that control answers, and gives control copies
// of packets from stations that it does not know. A frame that may not enter is neither answered
// nor copied; a frame that control has no room for is forwarded.
void suppress_questions(const PortSettings& port, ControlReceiver& control,
                        Forwarding::Shard& forwarding, std::span<const Frame> burst,
                        Verdicts& verdicts, Nanos now);

}  // namespace sluice
