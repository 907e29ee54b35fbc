// CSIG tags of received frames: finds the IP header after the tag, so that such a frame is handled
// like other IP frames, and removes tags for outputs that strip them.
//
// Only frames of standard Ethernet and formats of its family have these tags. The copies of a frame
// with several outputs share one buffer: the tag is removed if all outputs strip, mirrors included;
// otherwise the tag stays in all copies, and each stripping output counts its copy as not stripped.
// Bound: examines the frames of a burst that have no IP header, and parses those with a tag again.
// To strip a tag, moves the octets that follow it.
#pragma once

#include <span>

#include "dataplane/csig/csig_ports.h"
#include "dataplane/forward/mirrors.h"
#include "dataplane/ingress/ingress.h"
#include "dataplane/ingress_pipeline/verdicts.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/released.h"

namespace sluice {

// Call after `examine`. A tag with a fault (csig_tag.h) is counted, and the frame stays without IP.
void look_behind_csig(const Ingress& ingress, CsigPorts& csig, std::span<Frame> burst,
                      const Verdicts& verdicts);
// Parameters of `strip_csig_tags`. `port`: the port that received the burst; `open`: the outputs
// that accept frames.
struct CsigStripping {
    CsigPorts& csig;
    PortIndex port;
    const Mirrors& mirrors;
    PortSet open;
    Released& released;
};
// Removes tags. Call before tag edits are planned and frames are queued.
void strip_csig_tags(const CsigStripping& where, std::span<Frame> burst, const Verdicts& verdicts);

}  // namespace sluice
