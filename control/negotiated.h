// Negotiated: what a port and its peer agreed on, where that is to take the place of what is
// written. What they did not agree on, or no longer do, is nothing.
#pragma once

#include <optional>

#include "control/dcbx/model.h"
#include "dataplane/limits.h"

namespace sluice::control {

struct Negotiated {
    std::optional<PrioritySet> lossless;
    std::optional<dcbx::Ets> ets;
    std::optional<dcbx::ApplicationTable> applications;
    PrioritySet dcbx_defence = 0;  // what comes in these is discarded (0409v3)

    friend bool operator==(const Negotiated&, const Negotiated&) = default;
};

}  // namespace sluice::control
