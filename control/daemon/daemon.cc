#include "control/daemon/daemon.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>

#include "config/yaml/values.h"
#include "control/http/site.h"
#include "control/show/recorder.h"
#include "pmd_glue/privileges.h"
#include "pmd_glue/runtime_folder.h"

namespace sluice::control {

namespace {

using namespace std::chrono_literals;

constexpr auto longest_wait = 1h;  // longest wait of the idle event loop

std::string host_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "sluice";
    return name.data();
}

// Returns the nodes that have frame buffers as text; empty on a machine with one node.
std::string text_of(const Placement& placement) {
    std::string nodes;
    for (const std::optional<unsigned> node : placement.pools) {
        if (node) nodes += fmt::format("{}{}", nodes.empty() ? "" : " and ", *node);
    }
    if (nodes.empty()) return nodes;
    return fmt::format(" on NUMA node {}{}", nodes, placement.pools.size() > 1 ? " each" : "");
}

// Writes an event to the program's log.
void write_line(Severity severity, const std::string& line) {
    if (severity == Severity::warning) {
        spdlog::warn("{}", line);
    } else {
        spdlog::info("{}", line);
    }
}

}  // namespace

// While services are being made, an event cannot name a port, because names come from the services.
Daemon::Daemon()
    : events_(
          [this](PortIndex port) {
              return switch_ ? switch_->running().ports[port].name : std::string();
          },
          write_line) {}

tl::expected<std::unique_ptr<Daemon>, StartFailure> Daemon::start(
    config::Configuration configuration, const DaemonOptions& options) {
    std::unique_ptr<Daemon> daemon(new Daemon);
    // Signals are taken before any thread starts, because threads inherit the mask of blocked
    // signals.
    if (options.signals) daemon->take_signals();
    if (auto failure = daemon->open(std::move(configuration), options)) {
        daemon->why_not_started_ = failure->lines;
        return tl::unexpected(std::move(*failure));
    }
    return daemon;
}

std::optional<StartFailure> Daemon::open(config::Configuration configuration,
                                         const DaemonOptions& options) {
    up_since_ = {.utc = std::chrono::system_clock::now(), .steady = options.began};
    if (options.answer) {
        // The socket is opened before any device is touched, because another sluiced may use the
        // devices.
        const auto listens = listen(configuration);
        if (!listens) return StartFailure{Status::failed, {listens.error()}};
    }
    runtime_ = std::make_unique<Runtime>();
    if (auto failure = runtime_->open(configuration, options.runtime)) return failure;
    traces_ = std::make_unique<TraceSession>(loop_, runtime_->dataplane(),
                                             static_cast<uint8_t>(runtime_->workers().count()));
    switch_.emplace(SwitchServices::Parts{.runtime = *runtime_,
                                          .events = events_,
                                          .background = *background_,
                                          .view = [this] { return view(); },
                                          .host_name = host_name(),
                                          .lost_log_lines = options.lost_log_lines},
                    std::move(configuration));
    configurations_.emplace(
        Configurations::Parts{.loop = loop_,
                              .background = *background_,
                              .publisher = switch_->publisher,
                              .runtime = *runtime_,
                              .hotplug = switch_->hotplug,
                              .events = events_,
                              .manager = manager_,
                              .follow_settings = [this] { switch_->follow_settings(); }});
    requests_.emplace(Requests::Parts{.runtime = *runtime_,
                                      .events = events_,
                                      .services = *switch_,
                                      .traces = *traces_,
                                      .configurations = *configurations_,
                                      .view = [this] { return view(); }});
    switch_->hotplug.look_at_all();
    log_what_started();
    switch_->list.tick(ServiceId::abilities);
    if (options.answer && switch_->running().telemetry) {
        auto telemetry =
            Telemetry::start(loop_, [this](std::string_view noun) { return show_growing(noun); });
        if (!telemetry) return StartFailure{Status::failed, {telemetry.error()}};
        front_ends_.telemetry = std::move(*telemetry);
        spdlog::info("answers DPDK's telemetry: dpdk-telemetry.py -f {}", pmd::own_prefix());
    }
    switch_->state.restore(runtime_->clock().now());
    if (options.give_up_privileges) give_up_privileges();
    runtime_->start();
    running_ = true;
    switch_->hotplug.started(!options.give_up_privileges);
    switch_->managers.rstp.configure(switch_->running(), runtime_->clock().now());
    events_.notice("started", {},
                   fmt::format("workers run, {:%Q} ms after the start",
                               std::chrono::ceil<std::chrono::milliseconds>(
                                   std::chrono::steady_clock::now() - options.began)));
    switch_->list.run(loop_);
    return {};
}

tl::expected<void, std::string> Daemon::listen(const config::Configuration& configuration) {
    auto api = Api::listen(
        loop_, configuration.control.socket,
        [this](std::string_view line, const Reply& reply) { requests_->answer(line, reply); },
        [this] { return front_ends_.http && front_ends_.http->disconnect_idlest(); },
        configuration.control.readers);
    if (!api) return tl::unexpected(api.error());
    front_ends_.api = std::move(*api);
    if (configuration.metrics.listen.empty()) return {};
    auto server = http::serve(
        loop_, configuration.metrics,
        {.show = [this](std::string_view noun, bool all) { return show(noun, all); },
         .show_growing = [this](std::string_view noun,
                                bool all) { return show_growing(noun, all); },
         .select = [this](const ShowRequest& request) { return requests_->selected(request); },
         .totals = [this] { return totals(view()); },
         .recording =
             [this](uint64_t number, std::size_t from) {
                 const Recording* const found = switch_->managers.recorder.find(number);
                 return found == nullptr ? Json() : recording_page(*found, from);
             },
         .events = events_.log(),
         .metrics = [this]() -> const config::MetricsConfig& {
             return switch_->running().metrics;
         }});
    if (!server) return tl::unexpected(server.error());
    front_ends_.http = std::move(*server);
    return {};
}

void Daemon::give_up_privileges() const {
    pmd::Keeping keeping;
    keeping.edits_kernel_fdb = switch_->managers.evpn.is_on();
    for (const auto& port : runtime_->ports()) {
        if (!port) continue;
        keeping.devices.push_back(port->device());
        keeping.gives_back = keeping.gives_back || port->gives_back();
    }
    for (const std::string& kind : switch_->running().hotplug.devices) {
        keeping.opens.push_back(traits_of(kind)->kind);
    }
    for (const std::string& line : pmd::give_up_privileges(runtime_->eal(), keeping)) {
        spdlog::warn("{}", line);
    }
}

void Daemon::take_signals() {
    for (const int signal : {SIGTERM, SIGINT, SIGPWR}) {
        sources_.push_back(loop_.on_signal(signal, [this] { asked_to_stop_ = true; }));
    }
    // These signals have no meaning for sluiced; by default they would end the process without
    // cleanup.
    for (const int signal : {SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO}) {
        std::signal(signal, SIG_IGN);
    }
    sources_.push_back(loop_.on_signal(SIGHUP, [this] { configurations_->read_file_again(); }));
}

void Daemon::run() {
    manager_.ping_watchdog();
    manager_.report("READY=1");
    while (!asked_to_stop_) run_once(longest_wait);
    manager_.report("STOPPING=1");
    stop();
}

void Daemon::run_once(std::chrono::microseconds timeout) {
    loop_.run_once(timeout);
    runtime_->workers().wake();
}

// --- log and view --------------------------------------------------------------------------------

void Daemon::log_what_started() const {
    const Settings& settings = switch_->running().settings;
    std::string cpus;
    for (const unsigned cpu : runtime_->cpus()) cpus += fmt::format(" {}", cpu);
    spdlog::info("{} port(s), {} worker(s) on CPU{}, a buffer of {}, {} frame buffers in {}{}",
                 switch_->hotplug.links().size(), settings.workers, cpus,
                 config::format_size(settings.buffer.size.count()), runtime_->pool().size(),
                 runtime_->eal().huge_pages() ? "huge pages" : "ordinary pages",
                 text_of(runtime_->placement()));
    for (const std::string& notice : runtime_->placement().notices) spdlog::warn("{}", notice);
    for (const std::string& notice : runtime_->eal().notices()) spdlog::warn("{}", notice);
    for (const std::string& notice : runtime_->notices()) spdlog::warn("{}", notice);
    const std::vector<PortView> views = runtime_->port_views(switch_->hotplug.links());
    for (PortIndex port = 0; port < switch_->hotplug.links().size(); ++port) {
        if (views[port].vacant) continue;
        const PortSettings& about = settings.ports[port];
        const PortAbilities& can = views[port].abilities;
        spdlog::info("{}: {}, link {}, {}, address {}, pfc_rx {}, pfc_tx {}, lldp_rx {}",
                     views[port].name, views[port].device,
                     switch_->hotplug.links()[port].up ? "up" : "down",
                     config::format_rate(about.speed.count()), to_text(about.address),
                     name_of(can.are.pfc_rx), name_of(can.are.pfc_tx), name_of(can.are.lldp_rx));
        if (const auto& xdp = views[port].xdp) {
            spdlog::info("{}: XDP {}, {}", views[port].name,
                         xdp->native ? "in the driver" : "behind the driver",
                         xdp->zero_copy ? "no copy" : "a copy of each frame");
        }
        for (const std::string& notice : runtime_->ports()[port]->notices()) {
            spdlog::warn("{}", notice);
        }
    }
    if (front_ends_.api) spdlog::info("answers on {}", switch_->running().control.socket);
    if (front_ends_.http) log_who_may_look();
}

void Daemon::log_who_may_look() const {
    const config::MetricsConfig& metrics = switch_->running().metrics;
    const bool tls = !metrics.certificate.empty();
    spdlog::info("answers on {}://{}/", tls ? "https" : "http", metrics.listen);
    if (http::is_loopback(metrics.listen)) return;
    if (metrics.token_file.empty()) {
        spdlog::warn(
            "metrics.listen: all who reach {} can read what `sluice show` shows; write "
            "metrics.token_file, or listen on 127.0.0.1",
            metrics.listen);
    } else if (!tls) {
        spdlog::warn(
            "metrics.token_file: without metrics.tls the token crosses the network in "
            "clear; write a certificate and its key");
    }
}

// --- requests ------------------------------------------------------------------------------------

void Daemon::apply(ApplyRequest request, std::function<void(const Adopted&)> done) {
    configurations_->apply(std::move(request), std::move(done));
}

}  // namespace sluice::control
