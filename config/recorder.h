// Recorder: what is said of recording queues, and the rules between those keys.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "config/configuration.h"
#include "config/port/port_names.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Its ports exist, frames are timed where a latency is a trigger, and none is set for nothing.
void check_recorder(const Value& file, const PortNames& names, Report& report);

// Returns the ports of a valid list; all, if it is not configured. `by_name`: indices of ports.
PortSet written_ports(const Value& list,
                      const std::map<std::string, PortIndex, std::less<>>& by_name);
PrioritySet written_priorities(const Value& list);

// Reads the settings from a valid file; `ports` by name.
RecorderConfig recorder_config(const Value& recorder,
                               const std::map<std::string, PortIndex, std::less<>>& ports);

}  // namespace sluice::config
