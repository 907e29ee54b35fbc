#include "pmd_glue/system_calls.h"

#include <linux/sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>

namespace sluice::pmd {
namespace {

constexpr std::array refused = {
    // Calls that start another program.
    "execve", "execveat",
    // Calls that inspect or change another process, or take its descriptors.
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
    "userfaultfd", "perf_event_open", "move_pages", "migrate_pages",
    // Calls that load code into the kernel, restart the machine or access its hardware.
    "bpf", "init_module", "finit_module", "delete_module", "create_module", "kexec_load",
    "kexec_file_load", "reboot", "iopl", "ioperm", "modify_ldt", "uselib",
    // Calls for mounts, swap and quotas, and to open files without a name.
    "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen",
    "fsconfig", "fsmount", "fspick", "mount_setattr", "swapon", "swapoff", "quotactl",
    "quotactl_fd", "open_by_handle_at", "acct",
    // Calls for namespaces, and the machine's names and time.
    "setns", "unshare", "sethostname", "setdomainname", "settimeofday", "clock_settime", "stime",
    // Calls for keys, and the kernel's log.
    "keyctl", "add_key", "request_key", "syslog",
    // Calls whose requests run in the kernel where no filter sees them.
    "io_uring_setup", "io_uring_enter", "io_uring_register"};

constexpr std::array<uint64_t, 8> new_namespaces = {CLONE_NEWUSER,   CLONE_NEWNS,  CLONE_NEWNET,
                                                    CLONE_NEWPID,    CLONE_NEWIPC, CLONE_NEWUTS,
                                                    CLONE_NEWCGROUP, CLONE_NEWTIME};

using Filter = std::unique_ptr<void, decltype(&::seccomp_release)>;

// Refuses the call. A name that libseccomp does not know belongs to a call that it cannot refuse.
void refuse(const Filter& filter, const char* name, int with) {
    const int number = ::seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) return;
    ::seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(static_cast<uint32_t>(with)), number, 0);
}

}  // namespace

std::optional<std::string> refuse_system_calls() {
    const Filter filter(::seccomp_init(SCMP_ACT_ALLOW), ::seccomp_release);
    if (filter == nullptr) return "libseccomp has no memory for a filter";
    ::seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
    // Without this, a kernel before 5.16 slows down every load of the thread.
    ::seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_SSB, 1);
    for (const char* name : refused) refuse(filter, name, EPERM);
    refuse(filter, "clone3", ENOSYS);
    for (const uint64_t flag : new_namespaces) {
        ::seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                           SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
    }
    const int result = ::seccomp_load(filter.get());
    if (result == 0) return std::nullopt;
    return std::string("the kernel takes no filter of system calls (") + std::strerror(-result) +
           ")";
}

}  // namespace sluice::pmd
