// CSIG tags of frames that arrive: their IP headers are found behind the tags, so that these frames
// are handled like others with IP; and for ports that strip tags, the tags are removed.
//
// Only standard Ethernet and formats of its family have them. A frame that goes to several outputs
// has one buffer: its tag is removed if all outputs strip, mirrors included; otherwise it stays for
// all outputs and is counted.
// Bound: looks at the frames of a burst that have no IP header, and parses those with a tag once
// more; moves the octets behind the tag of frames for a port that strips.
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
// Where tags are stripped: for frames of `port`, mirrored to those of `mirrors` that are `open`.
struct CsigStripping {
    CsigPorts& csig;
    PortIndex port;
    const Mirrors& mirrors;
    PortSet open;
    Released& released;
};
// Call before tags are planned and frames queued.
void strip_csig_tags(const CsigStripping& where, std::span<Frame> burst, const Verdicts& verdicts);

}  // namespace sluice
