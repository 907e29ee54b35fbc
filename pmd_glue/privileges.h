// Privileges: gives up, thread by thread, what nothing needs once every device is open.
//
// A device is opened once and never again (port.h): an interface that goes down and comes back
// keeps its socket, and one that is deleted is gone for good. So after the start capabilities are
// needed to close what was opened, and by the one thread that does so, control's: `kept_for` says
// which, by device; to give back settings of a kernel interface takes one more, where there are
// some (nic/kernel_settings.h), and so does writing to the kernel's bridges (EVPN); and to open
// ports while the switch runs what their kind takes, where that was asked for. Lcores, EAL's thread
// for interrupts and the one that serves memif's sockets keep none. Nobody keeps any of the
// bounding, the inheritable and the ambient set; no_new_privs is set; calls that a switch never
// makes are refused (system_calls.h).
//
// Bound: what it does holds for the threads there are, EAL's and the calling one, and for those
// that they make; driver threads that keep capabilities are reported. Where a driver is known to
// make some, what makes them runs `confined`. It is done once and cannot be undone. Who has no
// capabilities, such as a user with ring ports, has none to lose.
// Not done here: to become another user. Root without capabilities still owns root's files, and
// needs to: huge pages are given back, and sockets and locks removed, by their owner.
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

// Of control's thread while ports on these devices are open; bits by capability.
uint64_t kept_for(std::span<const Device> devices);

// What control's thread is still to do.
struct Keeping {
    std::vector<Device> devices;    // to close these
    bool gives_back = false;        // settings of kernel interfaces, when ports are closed
    bool edits_kernel_fdb = false;  // where addresses are, by its bridges
    std::vector<DeviceKind> opens;  // and takes their interfaces down and up
};

// All threads of EAL, its lcores idle, and the calling one, control's. What could not be done, a
// line each.
std::vector<std::string> give_up_privileges(Eal& eal, const Keeping& keeping);

// Runs it in a thread that has nothing of it, and that threads made there inherit that from; until
// it is done.
void confined(const std::function<void()>& what);

}  // namespace sluice::pmd
