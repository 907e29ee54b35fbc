#include "pmd_glue/memif/asymmetric_fence.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sluice::pmd::memif {
namespace {

bool ask(int command) { return ::syscall(SYS_membarrier, command, 0, 0) == 0; }

}  // namespace

const bool AsymmetricFence::by_kernel_ = ask(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);

void AsymmetricFence::heavy() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (by_kernel_) ask(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

}  // namespace sluice::pmd::memif
