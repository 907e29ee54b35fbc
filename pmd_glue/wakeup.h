// Wakeup: how control ends the sleep of a worker, for what it has left for that.
//
// The worker announces that it will sleep, polls once more, and sleeps if there was nothing; who
// leaves something for it calls `wake` afterwards. So that poll finds what was left, or `wake` the
// announcement: none of it waits for the end of a sleep.
// Bound: `wake` is a fence and a load, and a system call where a worker sleeps or is about to.
#pragma once

#include <atomic>

#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd {

class Wakeup {
  public:
    Wakeup();

    // --- by the worker --------------------------------------------------------------------------
    // Readable once somebody woke it; -1: nobody can.
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
