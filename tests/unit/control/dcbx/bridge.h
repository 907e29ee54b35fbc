// What a bridge in these tests is set to: two classes that share, one strict, and priority 3
// lossless, for FCoE.
#pragma once

#include "control/dcbx/protocol.h"

namespace sluice::dcbx {

inline Local bridge() {
    return {.ets = {.class_of = {0, 0, 0, 1, 0, 0, 2, 2},
                    .bandwidth = {40, 60},
                    .selection = {Selection::ets, Selection::ets}},
            .pfc = {.enabled = 0x08},
            .application = {{Selector::ether_type, 0x8906, 3}}};
}

}  // namespace sluice::dcbx
