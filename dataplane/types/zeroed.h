// Zeroed: an array of a fixed length whose memory comes from the system all zeros and is not
// written at first, so that what is never used of it takes none. For tables of which most switches
// use few places: what is counted seldom, what is kept for groups.
// Bound: for things whose value at first is all zeros, and that need no end. The first use of a
// page costs what the system takes to hand it over, some hundred nanoseconds to some microseconds,
// so it is not for what every frame touches.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <type_traits>

namespace sluice {

template <class Thing>
class Zeroed {
    static_assert(std::is_trivially_copyable_v<Thing> && std::is_trivially_destructible_v<Thing>);
    static_assert(alignof(Thing) <= alignof(std::max_align_t));

  public:
    explicit Zeroed(std::size_t count)
        : things_(static_cast<Thing*>(std::calloc(count, sizeof(Thing)))) {
        if (things_ == nullptr && count > 0) std::abort();  // at start, with nothing to go on with
    }

    [[nodiscard]] Thing& operator[](std::size_t n) { return things_.get()[n]; }
    [[nodiscard]] const Thing& operator[](std::size_t n) const { return things_.get()[n]; }

  private:
    struct Free {
        void operator()(Thing* things) const { std::free(things); }
    };
    std::unique_ptr<Thing, Free> things_;
};

}  // namespace sluice
