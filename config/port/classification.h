// Classification: which priority a port gives to the frames that it receives, and what it writes
// into those that it sends.
#pragma once

#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

// `port` is valid.
ClassifySettings classify_settings(const Value& port);
RemarkSettings remark_settings(const Value& remark);

}  // namespace sluice::config
