// Pause bits: computes which bits of PFC frames belong to a priority, from a port's mapping of
// received PCPs and of the PCPs that it sends (dataplane/pfc/pause_bits.h), or reads them from
// `pfc.bits`.
//
// Sent frames: a priority has the bits of the PCPs that map to it at this port. If frames can also
// get it by a DSCP, an application or the port's default, their PCP at the peer is assumed to be
// the number of the priority. If that number is the PCP of another priority, and one of the two is
// lossless, the settings are refused, because an XOFF would stop both.
// Received frames: a priority has the bits of the PCPs with which its frames are sent:
// `remark.pcp`, or the PCPs with which any port received them, and `underlay.pcp` of the tunnels
// over the port. It also has the bit of its own number, for untagged frames and floods, which are
// not remarked, unless frames of another priority are sent with that PCP. A bit of two priorities
// stops both.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_pause_bits(const Value& file, Report& report);

// Sets the pause bits of all ports of a valid file. To be called when the other settings are
// complete.
void join_pause_bits(const Value& file, Configuration& built);

}  // namespace sluice::config
