#include "pmd_glue/large_pages.h"

#include <sched.h>
#include <sys/mman.h>
#include <algorithm>
#include <cstdint>
#include <new>

namespace sluice::pmd {
namespace {

constexpr std::size_t page = std::size_t{2} << 20;
constexpr std::size_t line = 64;  // octets of a cache line; no two allocations share a line

constexpr std::size_t rounded_up(std::size_t octets, std::size_t unit) {
    return (octets + unit - 1) / unit * unit;
}

// Rounds up to an odd number of cache lines. Consecutive objects of one length then use different
// cache sets: the number of sets is a power of two, and so is the length of many objects.
constexpr std::size_t odd_lines(std::size_t octets) {
    return (rounded_up(octets, line) / line | 1) * line;
}

unsigned node_here() {
    unsigned node = 0;
    return ::getcpu(nullptr, &node) == 0 ? node : 0;
}

// Touches all memory now, on large pages if the kernel has some. Later the kernel must not move the
// memory to large pages, since that would stall a worker.
void populate(std::byte* at, std::size_t octets) {
    ::madvise(at, octets, MADV_HUGEPAGE);  // if refused, small pages are used
    constexpr std::size_t small = 4096;
    for (std::size_t n = 0; n < octets; n += small) {
        *static_cast<volatile std::byte*>(at + n) = std::byte{0};
    }
    ::madvise(at, octets, MADV_NOHUGEPAGE);
}

}  // namespace

LargePages::~LargePages() {
    for (const Mapping& mapping : mappings_) ::munmap(mapping.at, mapping.octets);
}

std::size_t LargePages::pages() const {
    const std::scoped_lock lock(mutex_);
    std::size_t octets = 0;
    for (const Mapping& mapping : mappings_) octets += mapping.octets;
    return octets / page;
}

// A mapping may begin at any small page: the part before the first large page is unmapped again.
LargePages::Mapping& LargePages::map(std::size_t octets, unsigned node) {
    mappings_.reserve(mappings_.size() + 1);  // so that emplace_back cannot throw after mmap
    const std::size_t asked = octets + page;
    void* const got =
        ::mmap(nullptr, asked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) throw std::bad_alloc();
    auto* const at = static_cast<std::byte*>(got);
    const std::size_t before =
        rounded_up(reinterpret_cast<uintptr_t>(at), page) - reinterpret_cast<uintptr_t>(at);
    if (before > 0) ::munmap(at, before);
    if (before < page) ::munmap(at + before + octets, page - before);
    populate(at + before, octets);
    return mappings_.emplace_back(Mapping{at + before, octets, node, 0, 0});
}

void* LargePages::do_allocate(std::size_t octets, std::size_t alignment) {
    const std::size_t unit = std::max(alignment, line);
    const std::size_t length = odd_lines(octets);
    const unsigned node = node_here();
    const std::scoped_lock lock(mutex_);
    const auto fits = [&](const Mapping& mapping) {
        return mapping.node == node && rounded_up(mapping.used, unit) + octets <= mapping.octets;
    };
    const bool is_long = length >= page / 2;
    const auto with_room = is_long ? mappings_.end() : std::ranges::find_if(mappings_, fits);
    Mapping& mapping =
        with_room != mappings_.end() ? *with_room : map(rounded_up(octets, page), node);
    const std::size_t from = rounded_up(mapping.used, unit);
    mapping.used = is_long ? mapping.octets : from + length;
    ++mapping.things;
    return mapping.at + from;
}

void LargePages::do_deallocate(void* place, std::size_t octets, std::size_t alignment) {
    const std::scoped_lock lock(mutex_);
    const auto holds = [place](const Mapping& mapping) {
        return place >= mapping.at && place < mapping.at + mapping.octets;
    };
    const auto found = std::ranges::find_if(mappings_, holds);
    if (found == mappings_.end()) {
        return std::pmr::new_delete_resource()->deallocate(place, octets, alignment);
    }
    if (--found->things > 0) return;
    ::munmap(found->at, found->octets);
    mappings_.erase(found);
}

void use_large_pages() {
    // Never destroyed: its memory may outlive every other object.
    static auto* const pages = new LargePages();
    std::pmr::set_default_resource(pages);
}

}  // namespace sluice::pmd
