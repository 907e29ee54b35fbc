// Waker: signals an eventfd of another process, and never waits.
//
// A write to one may wait for ever where its owner wants that: it fills it, and clears O_NONBLOCK,
// which belongs to all who have it. So the kernel is asked to read nothing from a file of ours,
// and to signal that eventfd when it has (io_submit(2), IOCB_FLAG_RESFD): it does not wait.
// Bound: two system calls, and two more once. Where the kernel has no such calls, nobody is woken.
#pragma once

#include <linux/aio_abi.h>

#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd::memif {

class Waker {
  public:
    Waker() = default;
    ~Waker();
    Waker(const Waker&) = delete;
    Waker& operator=(const Waker&) = delete;

    static bool can_wake(int file);
    void wake(int eventfd);

  private:
    FileDescriptor nothing_;  // made by the first who is to be woken; so is the next
    aio_context_t context_ = 0;
};

}  // namespace sluice::pmd::memif
