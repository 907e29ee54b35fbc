// `sluice show version`: the version of the running sluiced, its build, and its environment.
// Scripts rely on the keys; control/nouns.md lists them.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json version_snapshot(const View& view, bool all);

}  // namespace sluice::control
