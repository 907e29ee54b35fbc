// Negotiated: what a port and its peer have agreed on by DCBX and the like, which replaces the
// port's own setting. An empty member: there is no agreement, and the setting is in force.
#pragma once

#include <optional>

#include "control/dcbx/model.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

struct Negotiated {
    std::optional<PrioritySet> lossless;
    std::optional<dcbx::Ets> ets;
    std::optional<dcbx::ApplicationTable> applications;
    PrioritySet dcbx_defence = 0;  // priorities whose received frames are discarded (0409v3)
    PrioritySet dcbx_held = 0;     // priorities whose frames are not sent (0409v3)

    friend bool operator==(const Negotiated&, const Negotiated&) = default;
};

}  // namespace sluice::control
