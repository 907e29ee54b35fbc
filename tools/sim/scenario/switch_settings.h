// SwitchSettings: what a scenario says of a switch, as config reads it from a sluiced file.
//
// A section that the switch has not of its own is that of `switch`, which is for all. Its ports
// have the speed of their cables, and its length where `pfc.cable` is not written.
// Its latency comes to `pfc.response` where a headroom is worked out: what is in the pipeline has
// not been counted when an XOFF is due, and still comes.
// Faults stand where the scenario has them. Keys that a scenario decides itself are faults.
#pragma once

#include <optional>

#include "config/yaml/fault.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/layout.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// `spare` is the cable that a port would have that has none. Of four priorities what is not mapped
// is mapped to these (priorities.h).
std::optional<SwitchSpec> settings_of(const SwitchDraft& draft, Fields& for_all, const Cable& spare,
                                      bool four_priorities, config::Report& report);

}  // namespace sluice::sim
