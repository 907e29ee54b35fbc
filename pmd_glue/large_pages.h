// LargePages: memory on pages of 2 MB for the tables that frames touch (types/hot_memory.h),
// where the kernel has them: transparent ones, which it makes itself where it finds 2 MB in a row.
// Nothing is reserved for that, and without them (`never` in
// /sys/kernel/mm/transparent_hugepage/enabled) the same memory is on small pages.
//
// With 64 ports, 8 priorities and 65,536 addresses a frame takes 15 % fewer cycles
// (tests/bench/figures.md).
// A thread gets memory of the NUMA node that it runs on, as nobody has written to it before; so
// each worker that makes its own part of a Switch has it near.
// All of it is there at once, so that no worker waits for the kernel to hand over a page, and it
// stays on the pages that it has: the kernel would stop a worker to move it to larger ones.
// Of things of one length below 1 MB, one behind the other, no two begin in the same sets of the
// processor's caches: each takes an odd number of cache lines. Egress of dataplane/ has 64 KiB, and
// the same line of 16 ports would not fit the eight ways of a usual cache.
// Bound: memory is taken 2 MB at a time and shared by what is shorter than 1 MB, for each node;
// what is longer has pages of its own. A page is given back to the kernel with the last thing on
// it. Any thread may call it.
// Not huge pages of the kernel's reserve, which DPDK takes for frames (huge_pages.h).
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

    // Pages that it holds.
    [[nodiscard]] std::size_t pages() const;

  private:
    // One mapping: of small things one after the other, or of one.
    struct Mapping {
        std::byte* at;
        std::size_t octets;
        unsigned node;
        std::size_t used;    // from its beginning on
        std::size_t things;  // that are not given back yet
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

// The tables of every Switch that is made from now on are on such pages; what an earlier one took
// is given back to where it came from. Once is enough.
void use_large_pages();

}  // namespace sluice::pmd
