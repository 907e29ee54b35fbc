// NumaNodes: which node of memory a CPU and a device are next to, as the kernel says in sysfs.
//
// Only nodes that have memory count. A CPU is on one, on the first where its own has none or the
// kernel does not say. A device may be on none in particular: a virtual one, or one of which the
// kernel does not say.
#pragma once

#include <filesystem>
#include <optional>
#include <set>

#include "pmd_glue/device.h"

namespace sluice::pmd {

class NumaNodes {
  public:
    explicit NumaNodes(std::filesystem::path sysfs = "/sys");

    // Whether the machine has more than one.
    [[nodiscard]] bool several() const { return nodes_.size() > 1; }
    [[nodiscard]] unsigned of_cpu(unsigned cpu) const;
    [[nodiscard]] std::optional<unsigned> of_device(const Device& device) const;

  private:
    std::filesystem::path sysfs_;
    std::set<unsigned> nodes_;  // with memory; never empty
};

}  // namespace sluice::pmd
