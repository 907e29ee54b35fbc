// Applications: rules for a port's priorities of applications, and one of them as settings.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

void check_applications(const Value& port, Report& report);

// Reads a valid entry.
ApplicationPriority application_settings(const Value& entry);

}  // namespace sluice::config
