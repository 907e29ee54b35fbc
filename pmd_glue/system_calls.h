// System calls: those that a switch at work never makes, refused to a thread for good (seccomp(2)).
//
// Refused is what would start another program, look into or take over another process, load code
// into the kernel, change what the machine has mounted, or leave the namespaces that it is in, and
// io_uring, whose requests no filter sees. All else is allowed: which calls the C library, DPDK and
// its drivers make is theirs to change, and a list of what is allowed would one day fail on a
// kernel or a library that nobody here has seen. The list is in system_calls.cc.
// A call that is refused fails with EPERM, of another architecture's too; clone3, whose flags a
// filter cannot see, with ENOSYS, so that libraries fall back to clone. Nothing is ever killed.
// Bound: allowed calls are known to the kernel without a look at the filter from Linux 5.11 on.
// Not done here: what the allowed calls may be about; capabilities (privileges.h) and file modes.
#pragma once

#include <optional>
#include <string>

namespace sluice::pmd {

// Of the calling thread, and of those that it makes later. Sets no_new_privs. Nothing, or why the
// kernel has not taken the filter.
std::optional<std::string> refuse_system_calls();

}  // namespace sluice::pmd
