// NumaNodes: the NUMA node of a CPU or a device, from the kernel's sysfs.
//
// Only nodes that have memory count. A CPU always has a node: the first, if its own has no memory
// or is unknown. A device may have none: a virtual device, or one whose node is unknown.
#pragma once

#include <filesystem>
#include <optional>
#include <set>

#include "pmd_glue/device.h"

namespace sluice::pmd {

class NumaNodes {
  public:
    explicit NumaNodes(std::filesystem::path sysfs = "/sys");

    // Whether the machine has more than one node.
    [[nodiscard]] bool several() const { return nodes_.size() > 1; }
    [[nodiscard]] unsigned of_cpu(unsigned cpu) const;
    [[nodiscard]] std::optional<unsigned> of_device(const Device& device) const;

  private:
    std::filesystem::path sysfs_;
    std::set<unsigned> nodes_;  // nodes with memory; never empty
};

}  // namespace sluice::pmd
