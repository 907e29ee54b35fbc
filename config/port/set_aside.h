// SetAside: what the lossless priorities of a port keep of the buffer for themselves.
//
// Each has its headroom, as written or else what the link needs (dataplane/buffer/headroom.h); its
// reserve; and one longest frame, which starts the pause when nothing else is left.
// Where the device pauses (`pfc: {by: nic}`), a queue is left alone as soon as its priority is at
// XOFF, so no link counts: what still comes is the rest of a burst, and the headroom is the ring of
// the queue and the buffer of the NIC, outside of the switch. A second burst is for what comes by a
// queue that is not its own: where there is no room left for one, the whole port is left alone
// (Ingress::stopped_queues).
// By credit it has a buffer for what its peer may send (dataplane/credits/credit_buffer.h), and
// where the peer gives none it goes by PFC: one at a time, so the larger of both is set aside, and
// not their sum. The headroom is part of that buffer; the reserve has the rest of it.
// Not done here: telling what is wrong with it (validate.h).
#pragma once

#include "config/yaml/reader.h"
#include "dataplane/buffer/default_levels.h"
#include "dataplane/buffer/headroom.h"
#include "dataplane/credits/credit_buffer.h"
#include "dataplane/types/units.h"

namespace sluice::config {

// Octets without FCS: payload, header and two tags.
Bytes largest_frame(const Value& port);

// Whether all that the rest is worked out from could be read.
bool needs_are_known(const Value& port, const Value& buffer);
HeadroomNeeds headroom_needs(const Value& port, const Value& buffer);
Bytes headroom(const Value& port, const Value& buffer);
// From an XOFF to the last frame that the peer sends in spite of it: a round trip, its response,
// and a longest frame under way at either end.
Nanos obeyed_within(const Value& port);
// Beyond that, before frames that still come are called disobedience (pfc/pause_obedience.h).
Nanos obedience_patience(const Value& port);
// Of a port by credit.
bool goes_by_credit(const Value& port);
CreditNeeds credit_needs(const Value& port, const Value& buffer);
Bytes credit_quantum(const Value& port);
Bytes credit_buffer(const Value& port, const Value& buffer);
// What each lossless priority has besides its headroom; by credit more than is written.
Bytes reserve(const Value& port, const Value& buffer);
// Where it pauses its peer and resumes it, as written or else by the same needs.
WrittenLevels written_levels(const Value& port);
Levels levels(const Value& port, const Value& buffer);
// Of each lossless priority.
Bytes set_aside(const Value& port, const Value& buffer);

}  // namespace sluice::config
