// CsigSnapshot: ports and the CSIG tags that they met (dataplane/csig/csig_tag.h), as JSON: the
// noun `csig` (control/nouns.md lists its keys). Empty where no tag is known.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json csig_snapshot(const View& view, bool all);

}  // namespace sluice::control
