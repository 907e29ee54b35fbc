// Applications: checks the priorities that a port gives to applications, and reads one of them.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

void check_applications(const Value& port, Report& report);

// Reads an entry of a valid file.
ApplicationPriority application_settings(const Value& entry);

}  // namespace sluice::config
