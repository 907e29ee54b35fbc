// Zeroed: an array of fixed length whose memory the system returns zeroed. It is not written at
// first, so unused pages take no memory. For tables of which most switches use few entries, such as
// rare counters and state of groups. Bound: for types whose initial value is all zeros and that
// need no destructor. The first use of a page costs from some hundred nanoseconds to some
// microseconds, so it is not for data of every frame.
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
        if (things_ == nullptr && count > 0) std::abort();  // at start: nothing can run without it
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
