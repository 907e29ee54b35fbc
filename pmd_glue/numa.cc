#include "pmd_glue/numa.h"

#include <charconv>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace sluice::pmd {
namespace {

std::optional<unsigned> read_number(std::string_view text) {
    unsigned number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

// Reads a list as the kernel writes it: `0-1,3`.
std::set<unsigned> read_list(const std::filesystem::path& file) {
    std::set<unsigned> numbers;
    std::ifstream stream(file);
    for (std::string range; std::getline(stream >> std::ws, range, ',');) {
        while (!range.empty() && range.back() == '\n') range.pop_back();
        const std::size_t dash = range.find('-');
        const auto first = read_number(std::string_view(range).substr(0, dash));
        const auto last =
            dash == range.npos ? first : read_number(std::string_view(range).substr(dash + 1));
        if (!first || !last) continue;
        for (unsigned number = *first; number <= *last && numbers.size() < 1024; ++number) {
            numbers.insert(number);
        }
    }
    return numbers;
}

}  // namespace

NumaNodes::NumaNodes(std::filesystem::path sysfs)
    : sysfs_(std::move(sysfs)), nodes_(read_list(sysfs_ / "devices/system/node/has_memory")) {
    if (nodes_.empty()) nodes_ = {0};
}

// The folder of a CPU has a link to its node: `node1`.
unsigned NumaNodes::of_cpu(unsigned cpu) const {
    const auto folder = sysfs_ / "devices/system/cpu" / ("cpu" + std::to_string(cpu));
    for (const unsigned node : nodes_) {
        std::error_code failed;
        if (std::filesystem::exists(folder / ("node" + std::to_string(node)), failed)) return node;
    }
    return *nodes_.begin();
}

// The kernel writes -1 for no node.
std::optional<unsigned> NumaNodes::of_device(const Device& device) const {
    std::filesystem::path folder;
    if (device.traits().is_pci()) {
        folder = sysfs_ / "bus/pci/devices" / device.target;
    } else if (device.on_interface()) {
        folder = sysfs_ / "class/net" / device.target / "device";
    } else {
        return std::nullopt;
    }
    int node = -1;
    std::ifstream(folder / "numa_node") >> node;
    const bool counts = node >= 0 && nodes_.contains(static_cast<unsigned>(node));
    return counts ? std::optional(static_cast<unsigned>(node)) : std::nullopt;
}

}  // namespace sluice::pmd
