#include "pmd_glue/wakeup.h"

#include <sys/eventfd.h>

namespace sluice::pmd {

Wakeup::Wakeup() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void Wakeup::announce_sleep() {
    announced_.store(true, std::memory_order_relaxed);
    // The worker's later reads happen after the announcement.
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Wakeup::end_sleep() {
    announced_.store(false, std::memory_order_relaxed);
    eventfd_t wakings = 0;
    ::eventfd_read(descriptor(), &wakings);
}

void Wakeup::wake() {
    // Work that was stored before `wake` is visible to the worker that it wakes.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (is_announced()) ::eventfd_write(descriptor(), 1);
}

}  // namespace sluice::pmd
