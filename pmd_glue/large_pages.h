// LargePages: memory on transparent huge pages of 2 MB for the tables that frames touch
// (types/hot_memory.h). The kernel makes such pages if it finds 2 MB of contiguous memory. Nothing
// is reserved; without such pages (`never` in /sys/kernel/mm/transparent_hugepage/enabled) the same
// memory is on small pages.
//
// With 64 ports, 8 priorities and 65,536 addresses a frame takes 15 % fewer cycles
// (tests/bench/figures.md).
// A thread gets memory of the NUMA node that it runs on, since it is the first to write to it. So a
// worker that makes its own part of a Switch has that part on its node.
// All pages are populated at once, so that no worker waits for the kernel to provide a page. The
// kernel may not move memory to large pages later, since that would stall a worker.
// Consecutive objects of one length below 1 MB begin in different sets of the processor's caches:
// each takes an odd number of cache lines. Otherwise the same line of 16 objects of 64 KiB, such as
// the Egress of 16 ports, would not fit the eight ways of a usual cache.
// Bound: memory is allocated 2 MB at a time for each node, shared by objects shorter than 1 MB;
// longer objects have pages of their own. A page is returned to the kernel when its last object is
// freed. Any thread may call it.
// Not done here: huge pages of the kernel's reserve, which DPDK uses for frames (huge_pages.h).
#pragma once

#include <cstddef>
#include <memory_resource>
#include <mutex>
#include <vector>

namespace sluice::pmd {

class LargePages : public std::pmr::memory_resource {
  public:
    LargePages() = default;
    LargePages(const LargePages&) = delete;
    LargePages& operator=(const LargePages&) = delete;
    ~LargePages() override;

    // Number of large pages of address space that are mapped.
    [[nodiscard]] std::size_t pages() const;

  private:
    // A mapping holds several short objects one after the other, or one long object.
    struct Mapping {
        std::byte* at;
        std::size_t octets;
        unsigned node;
        std::size_t used;    // octets from the start that were allocated
        std::size_t things;  // objects that are not freed yet
    };
    void* do_allocate(std::size_t octets, std::size_t alignment) override;
    void do_deallocate(void* place, std::size_t octets, std::size_t alignment) override;
    [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
        return this == &other;
    }
    Mapping& map(std::size_t octets, unsigned node);

    mutable std::mutex mutex_;
    std::vector<Mapping> mappings_;
};

// Puts the tables of every Switch that is made later on large pages; memory of an earlier Switch is
// freed where it was allocated. Call it once.
void use_large_pages();

}  // namespace sluice::pmd
