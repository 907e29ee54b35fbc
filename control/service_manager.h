// Service manager: notifies systemd, or another program at NOTIFY_SOCKET, of this program's state
// (READY=1, RELOADING=1, STOPPING=1, WATCHDOG=1), like sd_notify(3), but without ever waiting: a
// manager that does not read its socket would otherwise block control.
//
// A state for which the socket has no room is retried every `retry_period`. If several states wait,
// only the last one is sent, which is the current one. Watchdog pings without room are left out.
// Bound: one descriptor, taken at the start. Without a manager it does nothing.
// Not done here: vsock addresses.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "control/loop.h"

namespace sluice::control {

class ServiceManager {
  public:
    static constexpr std::chrono::milliseconds retry_period{100};

    explicit ServiceManager(Loop& loop);
    ServiceManager(const ServiceManager&) = delete;
    ServiceManager& operator=(const ServiceManager&) = delete;
    ~ServiceManager();

    // Reports a state, such as "READY=1".
    void report(std::string_view state);
    // Pings the watchdog of the manager, if the unit has one.
    void ping_watchdog();

  private:
    // Returns false if the socket has no room now.
    [[nodiscard]] bool send(std::string_view text) const;
    void retry();

    Loop& loop_;
    std::string address_;  // empty: there is no manager
    int socket_ = -1;
    std::string pending_;  // the state that found no room; empty: none
    Loop::SourcePointer retries_;
    Loop::SourcePointer pings_;
};

}  // namespace sluice::control
