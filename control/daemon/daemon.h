// Daemon: a switch at work and its one control thread: opens it, watches its links, answers on the
// socket, publishes settings, and drains it at the end.
//
// `run` is what sluiced does. A program that has a loop of its own calls `run_once` from it.
// Bound: links are looked at ten times a second, losses once; nothing here makes a worker wait.
// A process has one at the most, since EAL can be started only once.
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
#include "config/yaml/fault.h"
#include "control/background.h"
#include "control/capture/captures.h"
#include "control/confirmation.h"
#include "control/daemon/telemetry.h"
#include "control/events/event_sink.h"
#include "control/hotplug/hotplug.h"
#include "control/http/server.h"
#include "control/http/site.h"
#include "control/loop.h"
#include "control/managers.h"
#include "control/proof/cable_trials.h"
#include "control/publish.h"
#include "control/runtime/runtime.h"
#include "control/service_list.h"
#include "control/service_manager.h"
#include "control/show/counter_bases.h"
#include "control/socket/api.h"
#include "control/socket/request.h"
#include "control/startup_file.h"
#include "control/state/state_keeper.h"
#include "control/trace/session.h"
#include "control/watch/rate_watch.h"
#include "dataplane/ledger.h"

namespace sluice::control {

struct DaemonOptions {
    RuntimeOptions runtime;
    bool signals = true;  // SIGTERM and SIGINT stop it, SIGHUP reads the file again
    // Of the program, for telling how long it took.
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    bool answer = true;  // on control.socket and metrics.listen
    // EAL's threads and the calling one keep only what closing the ports needs (privileges.h).
    bool give_up_privileges = true;
    // So far, of the log that is spdlog's default; empty: nobody can say.
    std::function<uint64_t()> lost_log_lines;
};

class Daemon {
  public:
    // Returns with the workers running.
    static tl::expected<std::unique_ptr<Daemon>, StartFailure> start(
        config::Configuration configuration, const DaemonOptions& options);
    Daemon(const Daemon&) = delete;
    Daemon& operator=(const Daemon&) = delete;
    // Stops, and puts its devices away. If that does not come to its end either, ends the process.
    ~Daemon();

    // Until it is asked to stop, then stops.
    void run();
    // Serves what is ready, waiting for it up to `timeout`; workers see at once what comes of it.
    void run_once(std::chrono::microseconds timeout);
    // Lets nothing more in, and returns when the queues have drained and the ledger is closed. If a
    // worker does not come to its end, ends the process, since nothing can be put away under it.
    void stop();

    [[nodiscard]] bool asked_to_stop() const { return asked_to_stop_; }
    [[nodiscard]] Runtime& runtime() { return *runtime_; }
    // What `show NOUN` answers: counters as since they were cleared.
    [[nodiscard]] Json show(std::string_view noun, bool all = false) const;
    // The same for who takes rates of them: whatever was cleared, of a port since it was added.
    [[nodiscard]] Json show_growing(std::string_view noun, bool all = false) const;
    using Adopted = Hotplug::Adopted;
    // Reads a configuration, while others are served, and takes it over, whole or not at all. Then
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
    void add_services();
    [[nodiscard]] const std::string& port_name(PortIndex port) const {
        return publisher_->running().ports[port].name;
    }
    void prove(PortIndex port, const Seen& seen);
    void read_file_again();
    std::vector<std::string> log_adoption(const std::string& what);
    void follow_settings();
    using Loaded = tl::expected<config::Configuration, std::vector<config::Fault>>;
    // What was read, and what is amiss in captures that it names.
    struct Read {
        Loaded loaded;
        StartFailure captures;
    };
    void load_and_adopt(std::function<Loaded()> load, std::function<void(Read)> adopt);
    void wait_for_workers();
    void go_back(const Confirmation::Text& before);
    // `what` is adopted, for the log.
    Adopted adopt(Read read, const std::string& what,
                  std::optional<std::chrono::seconds> confirm_within = {});
    // Some rows of a noun; or why there are none.
    [[nodiscard]] tl::expected<Json, std::string> selected(const ShowRequest& request) const;
    void answer(std::string_view line, const Reply& reply);
    void answer(const ShowRequest& request, const Reply& reply);
    void answer(const ApplyRequest& request, const Reply& reply);
    void answer(const ConfirmRequest&, const Reply& reply);
    void answer(const SourceRequest&, const Reply& reply);
    void answer(const SavedRequest& request, const Reply& reply);
    void answer(const FlushFdbRequest&, const Reply& reply);
    void answer(const ClearCountersRequest&, const Reply& reply);
    void answer(const ClearWatermarksRequest&, const Reply& reply);
    void answer(const CaptureRequest& request, const Reply& reply);
    void answer(const TraceRequest& request, const Reply& reply);
    void answer(const WhatIfRequest& request, const Reply& reply);
    void answer(const TryCableRequest& request, const Reply& reply);
    void answer(const RecordRequest& request, const Reply& reply);
    void answer(const DumpRecordingRequest& request, const Reply& reply);

    std::string file_;  // that it was started with
    StartupFile startup_file_;
    uint64_t number_ = 1;         // of configurations that ran, with that which does
    bool is_going_back_ = false;  // what runs was not confirmed, and what ran before is being read
    // The last goes first.
    Loop loop_;
    ServiceManager manager_{loop_};
    std::optional<Background> background_{std::in_place, loop_};
    Confirmation confirmation_{loop_, [this](const auto& before) { go_back(before); }};
    EventSink events_;
    std::unique_ptr<TraceSession> traces_;  // which workers write to
    std::unique_ptr<Runtime> runtime_;
    std::unique_ptr<Publisher> publisher_;
    std::optional<Managers> managers_;
    ServiceList services_{[this] { return runtime_->clock().now(); }};
    CounterBases counters_{
        [this](std::string_view noun, bool all) { return snapshot(noun, view(), all); }};
    std::optional<RateWatch> rates_;
    std::optional<StateKeeper> state_;
    std::optional<CableTrials> trials_;
    std::optional<Hotplug> hotplug_;
    std::function<uint64_t()> lost_log_lines_;
    std::unique_ptr<Captures> captures_;
    std::unique_ptr<Api> api_;
    std::unique_ptr<http::Server> http_;
    std::unique_ptr<Telemetry> telemetry_;
    std::vector<Loop::SourcePointer> sources_;
    unsigned reloads_ = 0;  // of the file, under way or waiting
    bool asked_to_stop_ = false;
    bool running_ = false;
    UpSince up_since_;
    std::vector<std::string> why_not_started_;  // reported by `leave`, as nothing else does
};

}  // namespace sluice::control
