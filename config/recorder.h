// Recorder: reads the keys of the recorder of queues, and checks the rules between them.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "config/configuration.h"
#include "config/port/port_names.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Checks that the listed ports exist, that frames are timed if a latency is a trigger, and that
// each level has its trigger.
void check_recorder(const Value& file, const PortNames& names, Report& report);

// Returns the ports of a valid list, or all ports if the list is not written. `by_name`: indices of
// ports.
PortSet written_ports(const Value& list,
                      const std::map<std::string, PortIndex, std::less<>>& by_name);
PrioritySet written_priorities(const Value& list);

// Reads the settings from a valid file; `ports` has the index of each name.
RecorderConfig recorder_config(const Value& recorder,
                               const std::map<std::string, PortIndex, std::less<>>& ports);

}  // namespace sluice::config
