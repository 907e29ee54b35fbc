// CSIG tags of frames that arrive: their IP headers are found behind them, so that what looks at
// IP sees these frames as it sees others; and for ports that strip them they are removed.
//
// Only standard Ethernet and formats of its family have them. A frame that goes to several outputs
// is one buffer: its tag is removed where all of them strip, mirrors included, and else it stays
// for all and is counted.
// Bound: of a burst the frames without an IP header, whose headers are parsed once more where there
// is a tag; and those for a port that strips, whose octets behind the tag move.
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

// After `examine`. A tag with a fault (csig_tag.h) is counted, and the frame stays without IP.
void look_behind_csig(const Ingress& ingress, CsigPorts& csig, std::span<Frame> burst,
                      const Verdicts& verdicts);
// Where that is done: of frames of `port`, mirrored to those of `mirrors` that are `open`.
struct CsigStripping {
    CsigPorts& csig;
    PortIndex port;
    const Mirrors& mirrors;
    PortSet open;
    Released& released;
};
// Before tags are planned and frames queued.
void strip_csig_tags(const CsigStripping& where, std::span<Frame> burst, const Verdicts& verdicts);

}  // namespace sluice
