// Tagging: reads the tag of a received frame, and decides whether its port accepts such frames
// (802.1Q 6.9.1).
// Bound: reads four octets. Not here: the tag with which the frame is sent (forward/vlan.h), and
// the edit (tag.h).
#pragma once

#include "dataplane/ingress/parse.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/tag.h"

namespace sluice {

// Returns the form of a frame's tag. Requires a frame that was parsed: parsing drops a frame with a
// truncated tag.
[[nodiscard]] TagForm form_of_tag(const Frame& frame, const TaggingSettings& tagging);
// Returns Drop::none, tag_refused or tag_required, for a tag-aware port. `vlan` is the tag's VLAN.
// Sets `vlan` to 0 if the tag is not of the port's type: only the priority of such a tag is used.
Drop accept_tag(const Frame& frame, const TaggingSettings& tagging, VlanId& vlan);

}  // namespace sluice
