// Daemon: a running switch and its one control thread, which opens the ports, watches the links,
// answers on the socket, publishes settings, and drains the switch at the end.
//
// sluiced calls `run`. A program that has a loop of its own calls `run_once` from it. Bound: links
// are checked ten times a second, losses once; no worker ever waits. A process has at most one
// Daemon, since EAL can be started only once.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "config/configuration.h"
#include "control/background.h"
#include "control/daemon/configurations.h"
#include "control/daemon/front_ends.h"
#include "control/daemon/requests.h"
#include "control/daemon/switch_services.h"
#include "control/events/event_sink.h"
#include "control/hotplug/hotplug.h"
#include "control/loop.h"
#include "control/runtime/runtime.h"
#include "control/service_manager.h"
#include "control/show/snapshot.h"
#include "control/trace/session.h"
#include "dataplane/ledger.h"

namespace sluice::control {

struct DaemonOptions {
    RuntimeOptions runtime;
    bool signals = true;  // SIGTERM and SIGINT stop the daemon, SIGHUP makes it read the file again
    // The start of the program, to report how long starting took.
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    bool answer = true;  // whether the daemon listens on control.socket and metrics.listen
    // Whether EAL's threads and the calling thread keep only the privileges to close the ports
    // (privileges.h).
    bool give_up_privileges = true;
    // Returns how many lines of spdlog's default log were lost so far; empty: not known.
    std::function<uint64_t()> lost_log_lines;
};

class Daemon {
  public:
    // Starts a switch. Returns when the workers run.
    static tl::expected<std::unique_ptr<Daemon>, StartFailure> start(
        config::Configuration configuration, const DaemonOptions& options);
    Daemon(const Daemon&) = delete;
    Daemon& operator=(const Daemon&) = delete;
    // Stops, and closes the devices. If a device does not close in time, ends the process.
    ~Daemon();

    // Runs the switch until a stop is requested, then stops the switch.
    void run();
    // Serves ready sources, waiting for them up to `timeout`; workers see the results at once.
    void run_once(std::chrono::microseconds timeout);
    // Stops receiving, and returns when the queues have drained and the ledger is closed. If a
    // worker hangs, ends the process, since the worker's objects cannot be destroyed.
    void stop();

    [[nodiscard]] Runtime& runtime() { return *runtime_; }
    // Returns the answer to `show NOUN`, with counts since the last `clear counters`.
    [[nodiscard]] Json show(std::string_view noun, bool all = false) const;
    // Returns the answer for clients that compute rates: `clear counters` has no effect on it, and
    // counts begin when a port is added.
    [[nodiscard]] Json show_growing(std::string_view noun, bool all = false) const;
    using Adopted = Hotplug::Adopted;
    // Reads a configuration in the background, and adopts it as a whole or not at all. Then
    // `run_once` calls `done`.
    void apply(ApplyRequest request, std::function<void(const Adopted&)> done);

  private:
    Daemon();
    std::optional<StartFailure> open(config::Configuration configuration,
                                     const DaemonOptions& options);
    tl::expected<void, std::string> listen(const config::Configuration& configuration);
    [[nodiscard]] View view() const;
    void take_signals();
    void log_what_started() const;
    void log_who_may_look() const;
    [[noreturn]] void leave(const std::string& why);
    void give_up_privileges() const;

    // Destroyed from the last to the first.
    Loop loop_;
    ServiceManager manager_{loop_};
    std::optional<Background> background_{std::in_place, loop_};
    EventSink events_;
    std::unique_ptr<TraceSession> traces_;  // workers write to the session's records
    std::unique_ptr<Runtime> runtime_;
    std::optional<SwitchServices> switch_;
    std::optional<Configurations> configurations_;
    std::optional<Requests> requests_;
    FrontEnds front_ends_;
    std::vector<Loop::SourcePointer> sources_;
    bool asked_to_stop_ = false;
    bool running_ = false;
    UpSince up_since_;
    std::vector<std::string> why_not_started_;  // reasons that only `leave` reports
};

}  // namespace sluice::control
