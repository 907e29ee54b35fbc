// Comment: the comment of a captured frame in the file, one sentence: its port and priority; for a
// drop also the reason, the VOQ and the VOQ's depth. Bound: one line of text for any record; an
// unknown name is shown as its number.
#pragma once

#include <string>
#include <vector>

#include "dataplane/capture/record.h"

namespace sluice::cli {

struct CaptureNames {
    std::vector<std::string> ports;
    std::vector<std::string> reasons;  // drop reasons
};

std::string comment_of(const CaptureRecord& record, const CaptureNames& names);

}  // namespace sluice::cli
