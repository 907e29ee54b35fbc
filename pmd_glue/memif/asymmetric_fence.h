// AsymmetricFence: a full fence between a thread's store and its later load of another word, whose
// cost is paid by the thread that uses it rarely.
//
// The frequent thread stores and then loads; in between it calls `light`, which is only a compiler
// barrier and costs nothing. The rare thread stores the word that the frequent thread loads, and
// then loads the word that the frequent thread stores; in between it calls `heavy`. When `heavy`
// returns, every thread of the process has passed a full fence, so at least one of the two sees the
// other's store. With a full fence in `light`, a worker would wait for all its earlier stores to
// memory that other cores read. Implemented by membarrier(2), private and expedited; if the kernel
// has no such call, `light` is a full fence too.
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
