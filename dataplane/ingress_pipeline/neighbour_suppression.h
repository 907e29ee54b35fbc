// What a burst asks of neighbours, where such questions are suppressed (RFC 7432, 10).
#pragma once

#include <span>

#include "dataplane/forward/forwarding.h"
#include "dataplane/ingress/control_receiver.h"
#include "dataplane/ingress_pipeline/verdicts.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/settings.h"

namespace sluice {

// Takes out ARP requests and neighbour solicitations that control answers, and gives control copies
// of what shows it a station that it does not know. A frame that may not enter is neither; one that
// control has no room for goes on.
void suppress_questions(const PortSettings& port, ControlReceiver& control,
                        Forwarding::Shard& forwarding, std::span<const Frame> burst,
                        Verdicts& verdicts, Nanos now);

}  // namespace sluice
