// Places: assigns slots of a running switch to the ports of a file. A slot is an index whose
// worker, format and further lanes are fixed at start; a slot without a port is vacant. There are
// `hotplug.ports` slots, but at least as many as ports in the file at start.
//
// A port is identified by its device (if several ports have the same, such as `null:`, by its name
// too) and keeps its slot, whatever its name and position in the next file. A new port takes a
// vacant slot with a suitable worker, format and lanes.
// Bound: 64 ports. Not done here: other fixed keys (difference.h), and opening devices.
#pragma once

#include <vector>

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Checks that each port of a file at start has a slot.
void check_places(const Value& file, Report& report);

// Adds vacant slots at start, up to `hotplug.ports`, and assigns them to workers in turn.
void add_vacant_places(Configuration& configuration);

// Returns the slots without a port.
PortSet vacant_places(const Configuration& configuration);

// Moves the ports of `next` to their slots in `running`, new ports to some of `free`, and updates
// all references to ports. Returns a fault for each port without a slot; then `next` is unchanged.
std::vector<Fault> take_places(Configuration& next, const Configuration& running, PortSet free);

}  // namespace sluice::config
