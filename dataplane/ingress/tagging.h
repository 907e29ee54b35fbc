// Tagging: the tag that a frame came with, and whether its port takes such frames (802.1Q 6.9.1).
// Bound: reads four octets. Not done here: with which tag it leaves (forward/vlan.h), and the edit
// (tag.h).
#pragma once

#include "dataplane/ingress/parse.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/tag.h"

namespace sluice {

// A frame with a tag has four octets behind its EtherType, or it was not parsed.
[[nodiscard]] TagForm form_of_tag(const Frame& frame, const TaggingSettings& tagging);
// At a port that is aware of tags. Of one that is not of the port's type only the priority counts,
// so `vlan`, which the tag names, becomes 0. Drop::none, tag_refused or tag_required.
Drop accept_tag(const Frame& frame, const TaggingSettings& tagging, VlanId& vlan);

}  // namespace sluice
