// Wakeup: how control wakes a sleeping worker that has new orders.
//
// The worker announces that it will sleep, polls once more, and sleeps if it found nothing. A
// thread that leaves something for the worker calls `wake` afterwards. So either that poll finds
// the order, or `wake` finds the announcement: no order waits for the end of a sleep.
// Bound: `wake` is a fence and a load, and a system call if the worker sleeps or is about to.
#pragma once

#include <atomic>

#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd {

class Wakeup {
  public:
    Wakeup();

    // --- by the worker --------------------------------------------------------------------------
    // Readable after a `wake`; -1: there is none.
    [[nodiscard]] int descriptor() const { return event_.number(); }
    void announce_sleep();
    [[nodiscard]] bool is_announced() const { return announced_.load(std::memory_order_relaxed); }
    // Nobody is to wake it any more, and it knows what it was woken for.
    void end_sleep();

    // --- by any thread --------------------------------------------------------------------------
    void wake();

  private:
    const FileDescriptor event_;
    std::atomic<bool> announced_{false};
};

}  // namespace sluice::pmd
