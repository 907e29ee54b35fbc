// HotMemory: the memory for the tables that each frame uses: the FDB, VOQs, egress queues.
//
// A switch of many ports uses so many pages in one poll that the processor's TLB misses for nearly
// every frame. So a program may put these tables on larger pages: they are allocated from the
// default resource of std::pmr, which is `new` and `delete` unless the program changes it
// (pmd_glue/large_pages.h). Bound: the constructor of `Switch` allocates the memory, and its
// destructor frees it. A program changes the default resource before it makes a Switch, and never
// changes it back. Not for tables of which most switches use little (zeroed.h).
#pragma once

#include <cstddef>
#include <memory_resource>
#include <new>
#include <span>
#include <type_traits>

namespace sluice {

template <class Thing>
using HotVector = std::pmr::vector<Thing>;

// Uninitialised memory for objects; it is first written when the objects are constructed.
template <class Thing>
class HotRoom {
  public:
    HotRoom() = default;
    HotRoom(const HotRoom&) = delete;
    HotRoom& operator=(const HotRoom&) = delete;
    ~HotRoom() { give_back(); }

    // Allocates the memory, and frees that of an earlier call.
    void reserve(std::size_t places) {
        give_back();
        places_ = {Allocator().allocate(places), places};
    }
    [[nodiscard]] std::span<Thing> places() { return places_; }
    [[nodiscard]] std::span<const Thing> places() const { return places_; }

  private:
    static_assert(std::is_trivial_v<Thing>);
    using Allocator = std::pmr::polymorphic_allocator<Thing>;

    void give_back() {
        if (!places_.empty()) Allocator().deallocate(places_.data(), places_.size());
        places_ = {};
    }

    std::span<Thing> places_;
};

// A base class: objects of derived classes are allocated in this memory by `new`, and so by
// std::make_unique.
struct InHotMemory {
    static void* operator new(std::size_t octets) {
        return take(octets, alignof(std::max_align_t));
    }
    static void* operator new(std::size_t octets, std::align_val_t alignment) {
        return take(octets, static_cast<std::size_t>(alignment));
    }
    static void operator delete(void* place, std::size_t octets) {
        give_back(place, octets, alignof(std::max_align_t));
    }
    static void operator delete(void* place, std::size_t octets, std::align_val_t alignment) {
        give_back(place, octets, static_cast<std::size_t>(alignment));
    }

  private:
    static void* take(std::size_t octets, std::size_t alignment) {
        return std::pmr::get_default_resource()->allocate(octets, alignment);
    }
    static void give_back(void* place, std::size_t octets, std::size_t alignment) {
        std::pmr::get_default_resource()->deallocate(place, octets, alignment);
    }
};

}  // namespace sluice
