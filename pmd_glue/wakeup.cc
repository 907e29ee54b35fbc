#include "pmd_glue/wakeup.h"

#include <sys/eventfd.h>

namespace sluice::pmd {

Wakeup::Wakeup() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void Wakeup::announce_sleep() {
    announced_.store(true, std::memory_order_relaxed);
    // All that the worker reads from now on is read after the announcement.
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Wakeup::end_sleep() {
    announced_.store(false, std::memory_order_relaxed);
    eventfd_t wakings = 0;
    ::eventfd_read(descriptor(), &wakings);
}

void Wakeup::wake() {
    // The worker sees the work left for it before it is woken.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (is_announced()) ::eventfd_write(descriptor(), 1);
}

}  // namespace sluice::pmd
