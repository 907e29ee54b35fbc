// Places: the slots of the ports of a file in a running switch. A slot is an index, fixed at start
// for a worker, a format and further lanes; a slot without a port is vacant. There are
// `hotplug.ports` slots, but at least as many as ports in the file at start.
//
// A port is identified by its device (if several ports have the same, such as `null:`, by its name
// too) and keeps its slot, whatever its name and position in the next file. A new port takes a
// vacant slot that suits it.
// Bound: 64 ports. Not done here: other fixed keys (difference.h), and opening devices.
#pragma once

#include <vector>

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Checks of a whole file that each of its ports has a slot.
void check_places(const Value& file, Report& report);

// At start: vacant places beside its ports, up to `hotplug.ports`, given to workers in turn.
void add_vacant_places(Configuration& configuration);

// Where there is no port.
PortSet vacant_places(const Configuration& configuration);

// Moves the ports of `next` to their slots in `running`, new ports to some of `free`, and updates
// all references to ports. Returns a fault for each port without a slot; then `next` is unchanged.
std::vector<Fault> take_places(Configuration& next, const Configuration& running, PortSet free);

}  // namespace sluice::config
