// Memory: computes the memory for the frame buffers of a configuration, by far the largest part of
// a switch's memory, and checks that the machine has it, so that a configuration is refused before
// anything is allocated.
//
// Computed from the configuration alone, by the formula of control/runtime/buffers.cc. The switch
// uses free huge pages, reserves missing ones from at most half of the available memory, or runs
// without huge pages, when control groups (cgroup v2) limit its memory.
// Bound: within a tenth of the real use (tests/unit/control/runtime/memory_test.cc); each NUMA node
// in use needs as much. The tables of the switch, some 10 MiB, are not included.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

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
// Empty if the kernel does not report it. `root`: "" is this machine; another folder is a copy of
// /proc and /sys.
std::optional<MemoryFree> memory_free(const std::string& root);

// Returns a fault of `buffer.size`, if any.
std::optional<Fault> memory_fault(const Configuration& configuration, const std::string& root);

}  // namespace sluice::config
