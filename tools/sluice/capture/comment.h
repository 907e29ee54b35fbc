// Comment: what a file says of a captured frame beside its octets, in a sentence: whence it came
// and its priority; of a drop the reason, the VOQ that it was for, and how much waited there.
// Bound: whatever the record says, a line of text; a name that nobody knows is its number.
#pragma once

#include <string>
#include <vector>

#include "dataplane/capture/record.h"

namespace sluice::cli {

struct CaptureNames {
    std::vector<std::string> ports;
    std::vector<std::string> reasons;  // of drops
};

std::string comment_of(const CaptureRecord& record, const CaptureNames& names);

}  // namespace sluice::cli
