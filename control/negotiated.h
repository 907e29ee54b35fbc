// Negotiated: what a port and its peer have agreed on by DCBX and the like, which replaces the
// port's own setting. A member without a value: there is no agreement, and the setting is in force.
#pragma once

#include <optional>

#include "control/dcbx/model.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

struct Negotiated {
    std::optional<PrioritySet> lossless;
    std::optional<dcbx::Ets> ets;
    std::optional<dcbx::ApplicationTable> applications;
    PrioritySet dcbx_defence = 0;  // what comes in these is discarded (0409v3)
    PrioritySet dcbx_held = 0;     // of these nothing is sent (0409v3)

    friend bool operator==(const Negotiated&, const Negotiated&) = default;
};

}  // namespace sluice::control
