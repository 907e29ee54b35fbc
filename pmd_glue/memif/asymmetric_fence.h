// AsymmetricFence: the fence between a thread's store and its later load of another word, paid for
// by those who seldom ask.
//
// A thread that stores and then loads calls `light` in between, which keeps the compiler's order
// and costs nothing. Another that stores where the first loads, and loads where it stores, calls
// `heavy` in between: once that returns, every thread of the process has passed a full fence, so
// one of both sees what the other stored. A full fence of one's own would make a worker wait for
// all that it has written to memory which other cores read.
// By membarrier(2), private and expedited; where the kernel has no such call each pays for itself.
// Bound: `heavy` is a system call, which interrupts the cores that this process runs on.
#pragma once

#include <atomic>

namespace sluice::pmd::memif {

class AsymmetricFence {
  public:
    static void light() {
        if (by_kernel_) [[likely]] {
            std::atomic_signal_fence(std::memory_order_seq_cst);
        } else {
            std::atomic_thread_fence(std::memory_order_seq_cst);
        }
    }
    static void heavy();

  private:
    static const bool by_kernel_;
};

}  // namespace sluice::pmd::memif
