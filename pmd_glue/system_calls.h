// System calls: refuses, for the rest of a thread's life, the system calls that a running switch
// never makes (seccomp(2)).
//
// Refused are calls that start another program, inspect or take over another process, load code
// into the kernel, change the machine's mounts, or leave its namespaces, and io_uring, whose
// requests no filter sees. All other calls are allowed: the C library, DPDK and its drivers may
// change the calls that they make, and a list of allowed calls would one day fail with a new kernel
// or library. The list is in system_calls.cc.
// A refused call fails with EPERM, as does any call of another architecture; clone3, whose flags a
// filter cannot see, fails with ENOSYS, so that libraries fall back to clone. No process is ever
// killed.
// Bound: from Linux 5.11 on the kernel permits allowed calls without running the filter.
// Not done here: the arguments of allowed calls; capabilities (privileges.h) and file modes.
#pragma once

#include <optional>
#include <string>

namespace sluice::pmd {

// Applies to the calling thread, and to threads that it creates later. Sets no_new_privs. Returns
// nothing, or why the kernel refused the filter.
std::optional<std::string> refuse_system_calls();

}  // namespace sluice::pmd
