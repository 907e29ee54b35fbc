// Places: where the ports of a file are in a switch that runs. An index is a place, laid out at
// start for a worker, a format and further lanes; a place without a port is vacant. There are as
// many as `hotplug.ports` says, and no fewer than the file it was started with has ports.
//
// A port is known by its device (where several have the same, such as `null:`, by its name too) and
// keeps its place, whatever its name and wherever it stands in the next file. A new one takes a
// vacant place that was laid out for the like of it.
// Bound: 64 ports. Not done here: what else cannot change (difference.h), and opening devices.
#pragma once

#include <cstddef>
#include <vector>

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Of a whole file: each of its ports has one.
void check_places(const Value& file, Report& report);

// At start: vacant places beside its ports, up to `hotplug.ports`, given to workers in turn.
void add_vacant_places(Configuration& configuration);

// Where there is no port.
PortSet vacant_places(const Configuration& configuration);

// Puts the ports of `next` at their places in `running`, new ones at some of `free`, and all that
// refers to a port along with it. Faults: the ports that there is no place for; then `next` is as
// it was.
std::vector<Fault> take_places(Configuration& next, const Configuration& running, PortSet free);

}  // namespace sluice::config
