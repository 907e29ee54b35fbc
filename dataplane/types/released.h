// Released: buffers that the switch no longer uses, buffers that need more references, and buffers
// whose frame became shorter. Calls of the switch fill it in. The owner of the buffers
// (pmd_glue/pool.h) acts on it and clears it before the next call.
//
// A buffer in `freed` is freed once. A buffer in `shared` was queued for several outputs: its
// reference count is raised by `extra` before any of the copies is transmitted. A buffer in `cut`
// had one reference when its frame was cut to `length` octets (trim/cut_packet.h, or a CSIG tag was
// removed).
// Bound: two bursts of each kind, which no call exceeds if Released was cleared before it. Code
// that may free more checks `room`.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "dataplane/types/limits.h"

namespace sluice {

struct Released {
    struct References {
        void* handle;
        uint16_t extra;
    };
    struct Cut {
        void* handle;
        uint16_t length;
    };
    static constexpr std::size_t capacity = 2 * max_burst;

    std::array<void*, capacity> freed;
    std::array<References, capacity> shared;
    std::array<Cut, capacity> shortened;
    std::size_t freed_count = 0;
    std::size_t shared_count = 0;
    std::size_t cut_count = 0;

    void free(void* handle) {
        assert(freed_count < capacity);
        freed[freed_count++] = handle;
    }
    void share(void* handle, uint16_t extra) {
        assert(shared_count < capacity && extra > 0);
        shared[shared_count++] = {handle, extra};
    }
    void cut(void* handle, uint16_t length) {
        assert(cut_count < capacity);
        shortened[cut_count++] = {handle, length};
    }
    void clear() { freed_count = shared_count = cut_count = 0; }
    [[nodiscard]] std::size_t room() const { return capacity - freed_count; }
};

}  // namespace sluice
