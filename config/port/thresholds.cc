#include "config/port/thresholds.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/port/set_aside.h"
#include "config/yaml/values.h"
#include "dataplane/buffer/headroom.h"

namespace sluice::config {

void check_static_thresholds(const Value& file, Report& report) {
    const Value& alpha = file["buffer"]["alpha"];
    const Value& reserved = file["buffer"]["reserved"];
    const Value& cell = file["buffer"]["cell"];
    if (!alpha.valid || alpha.number != 0 || !reserved.valid || !cell.valid) return;
    int64_t longest = 0;
    for (const Value& port : file["ports"].items) {
        if (port["mtu"].valid) longest = std::max(longest, largest_frame(port).count());
    }
    const int64_t due = whole_cells(Bytes(longest), Bytes(cell.number)).count();
    if (reserved.number >= due) return;
    report.add(alpha.at, alpha.path,
               fmt::format("is 0, so a VOQ holds its buffer.reserved of {} alone, and the longest "
                           "frame takes {}",
                           format_size(reserved.number), format_size(due)),
               fmt::format("write a buffer.reserved of {} or more, or an alpha", format_size(due)));
}

}  // namespace sluice::config
