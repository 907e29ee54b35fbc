// Pause bits: computes which bits of PFC frames stand for a priority, from a port's mapping of
// received PCPs and of the PCPs that it sends (dataplane/pfc/pause_bits.h), or takes them from
// `pfc.bits`.
//
// Sent: a priority has the bits of the PCPs that map to it here. Frames that get the priority by
// something else, such as a DSCP, an application or the port's default, are assumed to have the
// same number at the peer. If that number is the PCP of another priority, and one of both is
// lossless, an XOFF would hold the other too: that is refused.
// Received: a priority has the bits of the PCPs that its frames leave with: `remark.pcp`, or the
// PCPs with which they came in by any port, and `underlay.pcp` of the tunnels over the port. It
// also has the bit of its own number, as untagged frames and floods are not remarked, unless
// another priority leaves with that. If two priorities share a bit, the bit holds both.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_pause_bits(const Value& file, Report& report);

// Completes the pause bits of a valid file, once all its ports are built.
void join_pause_bits(const Value& file, Configuration& built);

}  // namespace sluice::config
