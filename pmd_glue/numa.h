// NumaNodes: which node of memory a CPU and a device are next to, as the kernel says in sysfs.
//
// A CPU is on one node, on 0 where the kernel tells of none. A device may be on none in particular:
// a virtual one, or one whose machine does not say.
#pragma once

#include <filesystem>
#include <optional>

#include "pmd_glue/device.h"

namespace sluice::pmd {

class NumaNodes {
  public:
    explicit NumaNodes(std::filesystem::path sysfs = "/sys") : sysfs_(std::move(sysfs)) {}

    // Whether the machine has more than one.
    [[nodiscard]] bool several() const;
    [[nodiscard]] unsigned of_cpu(unsigned cpu) const;
    [[nodiscard]] std::optional<unsigned> of_device(const Device& device) const;

  private:
    std::filesystem::path sysfs_;
};

}  // namespace sluice::pmd
