// LosslessSnapshot: what a running switch holds back, and why: the nouns `pfc` and `buffer`
// (nouns.h), as snapshot.h has them.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json pfc_snapshot(const View& view, bool all);
Json buffer_snapshot(const View& view, bool all);

}  // namespace sluice::control
