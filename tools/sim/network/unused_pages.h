// UnusedPages: returns to the system those pages of a memory block that hold only zeros. The system
// provides a zeroed page again when the page is used. So a simulated switch uses memory only for
// the parts of its tables (by port, priority and pair of ports) that its frames use. Contents do
// not change. Bound: reads the block once; the first use of a page costs a page fault. Not for
// memory that another thread may write during the call, nor for file mappings.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sluice::sim {

class UnusedPages {
  public:
    void operator()(std::span<std::byte> block) const {
        const auto begin = reinterpret_cast<std::uintptr_t>(block.data());
        const std::size_t first = (page_ - begin % page_) % page_;
        std::size_t unused = 0;  // octets of zero pages just before `at`
        std::size_t at = first;
        for (; at + page_ <= block.size(); at += page_) {
            if (is_zero(block.subspan(at, page_))) {
                unused += page_;
            } else {
                give_back(block.subspan(at - unused, unused));
                unused = 0;
            }
        }
        if (unused > 0) give_back(block.subspan(at - unused, unused));
    }

  private:
    static bool is_zero(std::span<const std::byte> octets) {
        return octets.front() == std::byte{0} &&
               std::memcmp(octets.data(), octets.data() + 1, octets.size() - 1) == 0;
    }
    // Returns pages to the system. If the system refuses them, they stay as they are.
    static void give_back(std::span<std::byte> pages) {
        if (!pages.empty()) madvise(pages.data(), pages.size(), MADV_DONTNEED);
    }

    std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
};

}  // namespace sluice::sim
