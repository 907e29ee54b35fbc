// Wakeup: wakes a sleeping worker when control has work for it.
//
// The worker announces that it will sleep, polls once more, and sleeps if it found nothing. A
// thread that stores work for the worker calls `wake` afterwards. So either that poll finds the
// work, or `wake` finds the announcement: no work waits for the end of a sleep.
// Bound: `wake` is a fence and a load, and a system call if the worker sleeps or is about to.
#pragma once

#include <atomic>

#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd {

class Wakeup {
  public:
    Wakeup();

    // --- called by the worker -------------------------------------------------------------------
    // Returns the descriptor that becomes readable after a `wake`; -1 if there is none.
    [[nodiscard]] int descriptor() const { return event_.number(); }
    void announce_sleep();
    [[nodiscard]] bool is_announced() const { return announced_.load(std::memory_order_relaxed); }
    // Withdraws the announcement, and clears the descriptor.
    void end_sleep();

    // --- called by any thread -------------------------------------------------------------------
    void wake();

  private:
    const FileDescriptor event_;
    std::atomic<bool> announced_{false};
};

}  // namespace sluice::pmd
