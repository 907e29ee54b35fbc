// Memory: what a switch of a configuration takes for frame buffers, by far the most that it takes,
// and whether a machine has as much, so that it is refused before it is taken.
//
// Reckoned from the configuration alone, by the formula of control/runtime/buffers.cc. The switch
// takes it from free huge pages, reserves missing ones from at most half of what is available, or
// goes without them, where control groups (cgroup v2) bound what it may take.
// Bound: within a tenth of what is taken (tests/unit/control/runtime/memory_test.cc); of each NUMA
// node in use as much. The tables of the switch, some 10 MiB, are not in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/configuration.h"
#include "config/yaml/fault.h"

namespace sluice::config {

struct MemoryNeeded {
    int64_t buffers = 0;
    int64_t octets_each = 0;
    int64_t octets = 0;  // in all, with what DPDK has beside them
};
MemoryNeeded memory_needed(const Configuration& configuration);

struct MemoryFree {
    int64_t huge = 0;             // octets of huge pages
    int64_t available = 0;        // of others, as the kernel reckons it
    int64_t allowed = INT64_MAX;  // by control groups
    bool may_reserve = false;     // huge pages

    // The most that can be had of one kind.
    [[nodiscard]] int64_t most() const;
};
// Nothing where the kernel does not say. `root`: "" is this machine; another folder is a copy of
// /proc and /sys.
std::optional<MemoryFree> memory_free(const std::string& root);

// Nothing, or what is wrong with `buffer.size`.
std::optional<Fault> memory_fault(const Configuration& configuration, const std::string& root);

}  // namespace sluice::config
