// SetAside: computes the part of the buffer that is reserved for the lossless priorities of a port.
//
// Each priority has its headroom, as written or else as the link needs
// (dataplane/buffer/headroom.h); its reserve; and one longest frame, which triggers the pause when
// nothing else is left.
// If the device pauses (`pfc: {by: nic}`), a queue is no longer polled once its priority is at
// XOFF. Then the headroom does not depend on the link, whose frames stay in the queue's ring and
// the NIC's buffer: the headroom holds the rest of one burst. A second burst is reserved for frames
// that arrive in another priority's queue: if there is no room for it, the whole port is no longer
// polled (Ingress::stopped_queues).
// With credit a priority has a buffer for the frames that its peer may send
// (dataplane/credits/credit_buffer.h). If the peer gives no credit, PFC is used instead, so the
// larger of both is reserved, not the sum. The headroom is a part of that buffer, and the reserve
// is the rest.
// Not done here: reporting faults (validate.h).
#pragma once

#include "config/yaml/reader.h"
#include "dataplane/buffer/default_levels.h"
#include "dataplane/buffer/headroom.h"
#include "dataplane/credits/credit_buffer.h"
#include "dataplane/types/units.h"

namespace sluice::config {

// Returns the octets of the longest frame without FCS: payload, header and two tags.
Bytes largest_frame(const Value& port);

// Returns whether all values have been read from which the functions below compute.
bool needs_are_known(const Value& port, const Value& buffer);
HeadroomNeeds headroom_needs(const Value& port, const Value& buffer);
Bytes headroom(const Value& port, const Value& buffer);
// Returns the time from an XOFF to the last frame that the peer may send after it: a round trip,
// the peer's response, and a longest frame that each end has begun to send.
Nanos obeyed_within(const Value& port);
// Returns the time after `obeyed_within` from which received frames count as disobedience
// (pfc/pause_obedience.h).
Nanos obedience_patience(const Value& port);
// Returns whether the port uses credit.
bool goes_by_credit(const Value& port);
CreditNeeds credit_needs(const Value& port, const Value& buffer);
Bytes credit_quantum(const Value& port);
Bytes credit_buffer(const Value& port, const Value& buffer);
// Returns the reserve of each lossless priority, in addition to its headroom; with credit it may be
// more than is configured.
Bytes reserve(const Value& port, const Value& buffer);
// Return the levels at which the port pauses and resumes its peer: `written_levels` only those in
// the file, `levels` with the others computed from the headroom needs.
WrittenLevels written_levels(const Value& port);
Levels levels(const Value& port, const Value& buffer);
// Returns the octets reserved for each lossless priority.
Bytes set_aside(const Value& port, const Value& buffer);

}  // namespace sluice::config
