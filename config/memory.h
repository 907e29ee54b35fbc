// Memory: computes the memory for the frame buffers of a configuration, by far the largest part of
// a switch's memory, and checks that the machine has that much. So a configuration is refused
// before anything is allocated.
//
// The number is computed from the configuration alone, by the formula of
// control/runtime/buffers.cc. If huge pages are missing, the switch reserves them from at most half
// of the available memory; if that fails, it runs without huge pages, which control groups (cgroup
// v2) limit.
// Bound: within 10 % of the real use (tests/unit/control/runtime/memory_test.cc). Each NUMA node in
// use needs this amount. The tables of the switch, some 10 MiB, are not included.
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
    int64_t octets = 0;  // all buffers, and the memory that DPDK needs in addition
};
MemoryNeeded memory_needed(const Configuration& configuration);

struct MemoryFree {
    int64_t huge = 0;             // octets of free huge pages
    int64_t available = 0;        // octets of other memory, the kernel's MemAvailable
    int64_t allowed = INT64_MAX;  // octets that control groups allow
    bool may_reserve = false;     // whether the switch can reserve huge pages

    // Returns the most memory that the switch can get, either with huge pages or without them.
    [[nodiscard]] int64_t most() const;
};
// Returns nothing if the kernel does not report its memory. `root`: folder with /proc and /sys; ""
// is this machine, others are copies for tests.
std::optional<MemoryFree> memory_free(const std::string& root);

// Returns a fault at `buffer.size` if the machine has too little memory.
std::optional<Fault> memory_fault(const Configuration& configuration, const std::string& root);

}  // namespace sluice::config
