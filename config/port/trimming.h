// Trimming: reads `trim` of a port, by which it trims frames instead of dropping them
// (dataplane/trim/trimmer.h), and checks it for contradictions with itself and with other ports.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

TrimSettings trim_settings(const Value& port);
// Checks that no port trims frames with a DSCP that a port writes into trimmed frames.
void check_trimming(const Value& file, Report& report);

}  // namespace sluice::config
