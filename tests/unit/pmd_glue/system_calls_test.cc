#include "pmd_glue/system_calls.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace sluice::pmd {
namespace {

// Runs `body` in a thread of its own whose calls are refused, so that other tests are not affected.
void without(const std::function<void()>& body) {
    std::thread([&] {
        ASSERT_EQ(refuse_system_calls(), std::nullopt);
        body();
    }).join();
}

// Returns the error of a call without arguments; 0: it succeeds.
int fault_of(long number) {
    errno = 0;
    return ::syscall(number, 0, 0, 0, 0, 0) == -1 ? errno : 0;
}

TEST(SystemCalls, what_a_switch_never_does_is_refused_and_kills_nobody) {
    const std::map<std::string, long> calls = {{"execve", SYS_execve},
                                               {"execveat", SYS_execveat},
                                               {"ptrace", SYS_ptrace},
                                               {"process_vm_readv", SYS_process_vm_readv},
                                               {"process_vm_writev", SYS_process_vm_writev},
                                               {"finit_module", SYS_finit_module},
                                               {"kexec_load", SYS_kexec_load},
                                               {"bpf", SYS_bpf},
                                               {"mount", SYS_mount},
                                               {"reboot", SYS_reboot},
                                               {"setns", SYS_setns},
                                               {"unshare", SYS_unshare},
                                               {"open_by_handle_at", SYS_open_by_handle_at},
                                               {"keyctl", SYS_keyctl},
                                               {"userfaultfd", SYS_userfaultfd},
                                               {"perf_event_open", SYS_perf_event_open},
                                               {"io_uring_setup", SYS_io_uring_setup}};
    without([&] {
        for (const auto& [name, number] : calls) EXPECT_EQ(fault_of(number), EPERM) << name;
        EXPECT_EQ(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 1);
    });
}

TEST(SystemCalls, a_child_gets_no_namespace_of_its_own) {
    without([] {
        errno = 0;
        const long child = ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
        if (child == 0) ::_exit(0);
        EXPECT_EQ(errno, EPERM);
        EXPECT_EQ(fault_of(SYS_clone3), ENOSYS);
    });
}

TEST(SystemCalls, what_a_switch_does_is_not) {
    without([] {
        bool ran = false;
        std::thread([&] { ran = true; }).join();
        EXPECT_TRUE(ran);
        const pid_t child = ::fork();
        if (child == 0) ::_exit(7);
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(WEXITSTATUS(status), 7);
        const int file = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
        EXPECT_GE(file, 0);
        ::close(file);
    });
}

TEST(SystemCalls, a_thread_passes_them_on_and_others_go_on) {
    without([] { std::thread([] { EXPECT_EQ(fault_of(SYS_execve), EPERM); }).join(); });
    EXPECT_EQ(fault_of(SYS_execve), EFAULT);
}

}  // namespace
}  // namespace sluice::pmd
