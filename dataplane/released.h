// Released: what a call of the switch let go of, or wants more references to. The owner of the
// buffers acts on it and clears it before the next call of the switch.
//
// A handle in `freed` is given back once. A handle in `shared` was queued for several outputs and
// needs `extra` references beyond the one it has, before any of the copies can be transmitted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dataplane/limits.h"

namespace sluice {

struct Released {
    struct Share {
        void* handle;
        uint16_t extra;
    };
    static constexpr std::size_t capacity = 2 * max_burst;

    std::array<void*, capacity> freed;
    std::array<Share, capacity> shared;
    std::size_t freed_count = 0;
    std::size_t shared_count = 0;

    void free(void* handle) { freed[freed_count++] = handle; }
    void share(void* handle, uint16_t extra) { shared[shared_count++] = {handle, extra}; }
    void clear() { freed_count = shared_count = 0; }
    [[nodiscard]] std::size_t room() const { return capacity - freed_count; }
};

}  // namespace sluice
