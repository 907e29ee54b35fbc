// Classification: reads the priority that a port gives to received frames, and the values that it
// writes into frames that it sends.
#pragma once

#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

// Reads a valid port.
ClassifySettings classify_settings(const Value& port);
RemarkSettings remark_settings(const Value& remark);

}  // namespace sluice::config
