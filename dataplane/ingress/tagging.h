// Tagging: the tag that a frame came with, and whether its port accepts such frames (802.1Q 6.9.1).
// Bound: reads four octets. Not done here: the tag that the frame leaves with (forward/vlan.h), and
// the edit (tag.h).
#pragma once

#include "dataplane/ingress/parse.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/tag.h"

namespace sluice {

// A frame with a tag has four octets behind its EtherType, or parsing would have dropped it.
[[nodiscard]] TagForm form_of_tag(const Frame& frame, const TaggingSettings& tagging);
// For a tag-aware port. `vlan` is the tag's VLAN. Only the priority of a tag that is not of the
// port's type counts, so `vlan` becomes 0. Returns Drop::none, tag_refused or tag_required.
Drop accept_tag(const Frame& frame, const TaggingSettings& tagging, VlanId& vlan);

}  // namespace sluice
