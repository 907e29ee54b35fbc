// Trimming: frames that a port cuts short where it would drop them, as `trim` of it says
// (dataplane/trim/trimmer.h), and what of that contradicts itself or another port.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

TrimSettings trim_settings(const Value& port);
// Of all ports: a DSCP that one of them writes is never one that any of them trims.
void check_trimming(const Value& file, Report& report);

}  // namespace sluice::config
