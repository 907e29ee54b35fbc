// Waker: signals an eventfd of another process, and never waits.
//
// A malicious owner can make a write to its eventfd wait forever: it fills the counter, and clears
// O_NONBLOCK, a flag that all holders share. So this class requests that the kernel reads zero
// octets from a file of our own, and signals the eventfd on completion (io_submit(2),
// IOCB_FLAG_RESFD), which never waits.
// Bound: two system calls, and two more in the first call. If the kernel has no such calls, no
// process is woken.
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
    FileDescriptor nothing_;  // nothing_ and context_ are made by the first `wake`
    aio_context_t context_ = 0;
};

}  // namespace sluice::pmd::memif
