// Trimming: reads `trim` of a port, by which it trims frames instead of dropping them
// (dataplane/trim/trimmer.h), and checks it for contradictions with itself and with other ports.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

TrimSettings trim_settings(const Value& port);
// Checks of all ports that a DSCP that one of them writes is not one that any of them trims.
void check_trimming(const Value& file, Report& report);

}  // namespace sluice::config
