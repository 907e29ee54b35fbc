#include "pmd_glue/numa.h"

#include <charconv>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace sluice::pmd {
namespace {

// Of the nodes that a folder of sysfs names: `node1`.
std::vector<unsigned> nodes_in(const std::filesystem::path& folder) {
    std::vector<unsigned> nodes;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
        const std::string name = entry.path().filename();
        if (!name.starts_with("node")) continue;
        unsigned node = 0;
        const char* const end = name.data() + name.size();
        const auto [stop, error] = std::from_chars(name.data() + 4, end, node);
        if (error == std::errc() && stop == end) nodes.push_back(node);
    }
    return nodes;
}

}  // namespace

bool NumaNodes::several() const { return nodes_in(sysfs_ / "devices/system/node").size() > 1; }

unsigned NumaNodes::of_cpu(unsigned cpu) const {
    const auto nodes = nodes_in(sysfs_ / "devices/system/cpu" / ("cpu" + std::to_string(cpu)));
    return nodes.empty() ? 0 : nodes.front();
}

// The kernel writes -1 for none.
std::optional<unsigned> NumaNodes::of_device(const Device& device) const {
    std::filesystem::path folder;
    if (device.kind == DeviceKind::pci) {
        folder = sysfs_ / "bus/pci/devices" / device.target;
    } else if (device.on_interface()) {
        folder = sysfs_ / "class/net" / device.target / "device";
    } else {
        return std::nullopt;
    }
    int node = -1;
    std::ifstream(folder / "numa_node") >> node;
    return node < 0 ? std::nullopt : std::optional(static_cast<unsigned>(node));
}

}  // namespace sluice::pmd
