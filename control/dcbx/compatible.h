// Compatible: decides whether the values of two ends fit, though they may differ.
//
// PFC: the same priorities. ETS: every priority is served the same way, and two priorities that
// share a class at one end also share a class at the other end; numbers of classes and bandwidths
// may differ, since each direction of a link has its own. CEE's priority groups always fit, for the
// same reason. Applications: no application has different priorities at the two ends; an
// application that only one end lists fits.
#pragma once

#include "control/dcbx/model.h"

namespace sluice::dcbx {

bool compatible_pfc(const PrioritySet& one, const PrioritySet& other);
bool compatible_ets(const Ets& one, const Ets& other);
bool compatible_groups(const Ets& one, const Ets& other);
bool compatible_applications(const ApplicationTable& one, const ApplicationTable& other);

}  // namespace sluice::dcbx
