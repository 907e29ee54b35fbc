// Released: buffers that the switch has finished with, and buffers that need more references. Calls
// of the switch fill it in; the owner of the buffers (pmd_glue/pool.h) acts on it and clears it
// before the next call.
//
// A buffer in `freed` is to be freed once. A buffer in `shared` was queued for several outputs: its
// reference count is to be raised by `extra` before any of the copies can be transmitted.
// Bound: two bursts of either, which no call exceeds where this was cleared before it; who frees
// more asks for `room`.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "dataplane/limits.h"

namespace sluice {

struct Released {
    struct References {
        void* handle;
        uint16_t extra;
    };
    static constexpr std::size_t capacity = 2 * max_burst;

    std::array<void*, capacity> freed;
    std::array<References, capacity> shared;
    std::size_t freed_count = 0;
    std::size_t shared_count = 0;

    void free(void* handle) {
        assert(freed_count < capacity);
        freed[freed_count++] = handle;
    }
    void share(void* handle, uint16_t extra) {
        assert(shared_count < capacity);
        shared[shared_count++] = {handle, extra};
    }
    void clear() { freed_count = shared_count = 0; }
    [[nodiscard]] std::size_t room() const { return capacity - freed_count; }
};

}  // namespace sluice
