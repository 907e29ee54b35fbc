// `sluice show version`: which sluiced runs, what it was built with, and what it runs on. Scripts
// rely on the keys; README.md of control lists them.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json version_snapshot(const View& view, bool all);

}  // namespace sluice::control
