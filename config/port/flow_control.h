// Flow control: rules for the flow control of a port. PFC has to be in the build, and only one kind
// of flow control is allowed. Some keys have no effect if the NIC does PFC by itself (`pfc: {by:
// nic}`), or if the port stops receiving from its ring instead of sending pauses (`ring`).
// Not done here: capabilities of the device (pmd_glue/nic/lossless_queues.h).
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

void check_flow_control(const Value& port, Report& report);

// Returns `pfc.by`. If it is not written, returns `ring` for a device whose peers obey no pauses,
// and `switch` for other devices.
PfcBy pauser_of(const Value& port);
// Returns whether the device itself pauses its peer and obeys the peer's pauses, with a queue for
// each priority.
inline bool pauses_by_nic(const Value& port) { return pauser_of(port) == PfcBy::queues; }
// Returns whether the switch itself sends no pause frames at the port.
inline bool pauses_by_rings(const Value& port) { return pauser_of(port) != PfcBy::frames; }

}  // namespace sluice::config
