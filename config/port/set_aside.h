// SetAside: the part of the buffer that is reserved for the lossless priorities of a port.
//
// Each priority has its headroom, as written or else as the link needs
// (dataplane/buffer/headroom.h); its reserve; and one longest frame, which starts the pause when
// nothing else is left.
// If the device pauses (`pfc: {by: nic}`), a queue is no longer polled as soon as its priority is
// at XOFF, so the link does not matter: only the rest of a burst still comes, and the headroom is
// outside of the switch, in the queue's ring and the NIC's buffer. A second burst is reserved for
// frames that come by another priority's queue: if there is no room left for one, the whole port is
// no longer polled (Ingress::stopped_queues).
// With credit a priority has a buffer for what its peer may send
// (dataplane/credits/credit_buffer.h). If the peer gives no credit, PFC is used instead: so the
// larger of both is reserved, not the sum. The headroom is part of that buffer; the reserve has the
// rest of it.
// Not done here: reporting faults (validate.h).
#pragma once

#include "config/yaml/reader.h"
#include "dataplane/buffer/default_levels.h"
#include "dataplane/buffer/headroom.h"
#include "dataplane/credits/credit_buffer.h"
#include "dataplane/types/units.h"

namespace sluice::config {

// Octets without FCS: payload, header and two tags.
Bytes largest_frame(const Value& port);

// Whether all values that the others are computed from could be read.
bool needs_are_known(const Value& port, const Value& buffer);
HeadroomNeeds headroom_needs(const Value& port, const Value& buffer);
Bytes headroom(const Value& port, const Value& buffer);
// The time from an XOFF to the last frame that the peer sends in spite of it: a round trip, the
// peer's response, and a longest frame under way at either end.
Nanos obeyed_within(const Value& port);
// Beyond that, before frames that still come are called disobedience (pfc/pause_obedience.h).
Nanos obedience_patience(const Value& port);
// Whether a port uses credit.
bool goes_by_credit(const Value& port);
CreditNeeds credit_needs(const Value& port, const Value& buffer);
Bytes credit_quantum(const Value& port);
Bytes credit_buffer(const Value& port, const Value& buffer);
// Returns the reserve of each lossless priority, besides its headroom; with credit more than is
// configured.
Bytes reserve(const Value& port, const Value& buffer);
// Where it pauses its peer and resumes it, as written or else by the same needs.
WrittenLevels written_levels(const Value& port);
Levels levels(const Value& port, const Value& buffer);
// Returns the octets reserved for each lossless priority.
Bytes set_aside(const Value& port, const Value& buffer);

}  // namespace sluice::config
