// Privileges: gives up, in each thread, the privileges that are not needed once every device is
// open.
//
// An opened device is never opened again (port.h): an interface that goes down and comes up keeps
// its socket, and a deleted interface never returns. So after the start only control's thread keeps
// capabilities: those for closing devices (`kept_for` lists them by device); one more if settings
// of a kernel interface have to be restored (nic/kernel_settings.h) or the kernel's bridges are
// written to (EVPN); and, if asked for, those for opening ports while the switch runs. Lcores,
// EAL's interrupt thread and the thread for memif's sockets keep none. The bounding, inheritable
// and ambient sets are empty in every thread; no_new_privs is set; system calls that a switch never
// makes are refused (system_calls.h).
//
// Bound: it covers the existing threads, EAL's and the calling one, and threads that they make
// later; driver threads that keep capabilities are reported. Calls that are known to make driver
// threads run `confined`. It is called once and cannot be undone. It has no effect for a user
// without capabilities, for example with ring ports.
// Not done here: changing the user. Root without capabilities still owns root's files, and needs
// to: only the owner can give back huge pages, and remove sockets and lock files.
// Source: capabilities(7), "Thread capability sets" and "Effect of user ID changes".
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pmd_glue/device.h"

namespace sluice::pmd {

class Eal;

// Returns the capabilities of control's thread while ports on these devices are open, as bits.
uint64_t kept_for(std::span<const Device> devices);

// The tasks that control's thread keeps capabilities for.
struct Keeping {
    std::vector<Device> devices;    // devices that will be closed
    bool gives_back = false;        // restores settings of kernel interfaces when ports are closed
    bool edits_kernel_fdb = false;  // writes addresses to the FDB of the kernel's bridges
    std::vector<DeviceKind> opens;  // kinds of `hotplug.devices`, which may be opened later
};

// Applies to all threads of EAL, whose lcores must be idle, and to the calling thread, control's.
// Returns what failed, one a line.
std::vector<std::string> give_up_privileges(Eal& eal, const Keeping& keeping);

// Runs `what` in a thread without privileges, and waits for its end. Threads that `what` creates
// have none either.
void confined(const std::function<void()>& what);

}  // namespace sluice::pmd
