// Pause bits: which numbers PFC frames name priorities by, worked out of what a port makes of the
// PCPs that it receives and of those that leave it (dataplane/pfc/pause_bits.h), or as
// `pfc.bits` says.
//
// Sent: a priority has the bits of the PCPs that are it here. Frames that get it by something else
// than a PCP, such as a DSCP of the file, an application or the port's default, are taken to be of
// the same number at the peer. Where that number is the PCP of another priority, and one of both is
// lossless, an XOFF would hold the other too: that is refused.
// Received: a priority has the bit of the PCP that it leaves with: `remark.pcp`, or those with
// which its frames came by whichever port, and `underlay.pcp` of the tunnels over the port; and of
// its own number, as frames without a tag and floods are not remarked, unless another priority
// leaves by that. Two priorities may have one bit: then both are held by it.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_pause_bits(const Value& file, Report& report);

// Of a valid file: once all its ports are there.
void join_pause_bits(const Value& file, Configuration& built);

}  // namespace sluice::config
