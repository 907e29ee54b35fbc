// SwitchSettings: the settings of a scenario's switch, read by config as from a sluiced file.
//
// A section that the switch does not have is taken from `switch`, which applies to all switches.
// The switch's ports have the speed of their cables, and the cables' length if `pfc.cable` is not
// written. The switch's latency is added to `pfc.response` for computed headroom: frames in the
// pipeline are not counted yet when an XOFF is due. Faults have positions in the scenario. Keys
// that the scenario sets itself are faults.
#pragma once

#include <optional>

#include "config/yaml/fault.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/layout.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// Returns the settings of a switch. `spare`: the cable that is assumed for a port without one. With
// four priorities, unmapped PCPs are mapped to these (priorities.h).
std::optional<SwitchSpec> settings_of(const SwitchDraft& draft, Fields& for_all, const Cable& spare,
                                      bool four_priorities, config::Report& report);

}  // namespace sluice::sim
