#include "control/daemon/daemon.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

#include "config/loader.h"
#include "config/yaml/fault.h"
#include "config/yaml/values.h"
#include "control/runtime/next_hops.h"
#include "control/runtime/workers_service.h"
#include "control/show/recorder.h"
#include "control/watch/watches.h"
#include "pmd_glue/privileges.h"
#include "pmd_glue/runtime_folder.h"

namespace sluice::control {

namespace {

using namespace std::chrono_literals;

constexpr Nanos longest_adoption{100'000'000};  // by workers, in which the daemon does nothing else
constexpr auto longest_wait = 1h;               // of an event loop with nothing to do

std::string host_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "sluice";
    return name.data();
}

// The nodes that have frame buffers; of a machine of one node nothing.
std::string text_of(const Placement& placement) {
    std::string nodes;
    for (const std::optional<unsigned> node : placement.pools) {
        if (node) nodes += fmt::format("{}{}", nodes.empty() ? "" : " and ", *node);
    }
    if (nodes.empty()) return nodes;
    return fmt::format(" on NUMA node {}{}", nodes, placement.pools.size() > 1 ? " each" : "");
}

// To the program's log.
void write_line(Severity severity, const std::string& line) {
    if (severity == Severity::warning) {
        spdlog::warn("{}", line);
    } else {
        spdlog::info("{}", line);
    }
}

}  // namespace

Daemon::Daemon() : events_([this](PortIndex port) { return port_name(port); }, write_line) {}

tl::expected<std::unique_ptr<Daemon>, StartFailure> Daemon::start(
    config::Configuration configuration, const DaemonOptions& options) {
    std::unique_ptr<Daemon> daemon(new Daemon);
    // Before there are threads, which inherit what is blocked here.
    if (options.signals) daemon->take_signals();
    if (auto failure = daemon->open(std::move(configuration), options)) {
        daemon->why_not_started_ = failure->lines;
        return tl::unexpected(std::move(*failure));
    }
    return daemon;
}

std::optional<StartFailure> Daemon::open(config::Configuration configuration,
                                         const DaemonOptions& options) {
    file_ = configuration.source.file;
    startup_file_ = StartupFile(file_, configuration.source.text);
    lost_log_lines_ = options.lost_log_lines;
    up_since_ = {.utc = std::chrono::system_clock::now(), .steady = options.began};
    if (options.answer) {
        // Before any device is touched: another sluiced may have them.
        const auto listens = listen(configuration);
        if (!listens) return StartFailure{Status::failed, {listens.error()}};
    }
    runtime_ = std::make_unique<Runtime>();
    if (auto failure = runtime_->open(configuration, options.runtime)) return failure;
    traces_ = std::make_unique<TraceSession>(loop_, runtime_->dataplane(),
                                             static_cast<uint8_t>(runtime_->workers().count()));
    publisher_ = std::make_unique<Publisher>(std::move(configuration), [this](const Settings&) {
        services_.prepare(publisher_->running());
    });
    services_.add(ServiceId::workers, std::make_unique<WorkersService>(*runtime_, *publisher_));
    captures_ = std::make_unique<Captures>(runtime_->dataplane(),
                                           [this] { return runtime_->clock().now(); });
    const auto abilities = runtime_->abilities();
    managers_.emplace(
        Managers::Parts{.dataplane = runtime_->dataplane(),
                        .publisher = *publisher_,
                        .events = events_,
                        .clock = [this] { return runtime_->clock().now(); },
                        .wake = [this] { runtime_->workers().wake(); },
                        .host_name = host_name(),
                        .abilities = std::vector<PortAbilities>(abilities.begin(), abilities.end()),
                        .vteps_of = [this](PortIndex port) { return runtime_->vteps(port); }});
    rates_.emplace(runtime_->dataplane(), *publisher_);
    state_.emplace(runtime_->dataplane(), *publisher_, counters_, events_, *background_);
    hotplug_.emplace(Hotplug::Parts{.runtime = *runtime_,
                                    .publisher = *publisher_,
                                    .events = events_,
                                    .managers = *managers_,
                                    .services = services_,
                                    .captures = *captures_,
                                    .counters = counters_,
                                    .follow_settings = [this] { follow_settings(); }});
    trials_.emplace(CableTrials::Parts{
        .dataplane = runtime_->dataplane(),
        .publisher = *publisher_,
        .events = events_,
        .is_there = [this](PortIndex port) { return hotplug_->is_there(port); },
        .has_link = [this](PortIndex port) { return hotplug_->links()[port].up; },
        .abilities = [this](PortIndex port) -> const PortAbilities& {
            return runtime_->abilities()[port];
        },
        .prove = [this](PortIndex port, const Seen& seen) { prove(port, seen); }});
    managers_->lldp.set_listener([this](PortIndex port, std::span<const uint8_t> frame) {
        return trials_->receive(port, frame);
    });
    add_services();
    hotplug_->look_at_all();
    log_what_started();
    services_.tick(ServiceId::abilities);
    if (options.answer && publisher_->running().telemetry) {
        auto telemetry =
            Telemetry::start(loop_, [this](std::string_view noun) { return show_growing(noun); });
        if (!telemetry) return StartFailure{Status::failed, {telemetry.error()}};
        telemetry_ = std::move(*telemetry);
        spdlog::info("answers DPDK's telemetry: dpdk-telemetry.py -f {}", pmd::own_prefix());
    }
    state_->restore(runtime_->clock().now());
    if (options.give_up_privileges) give_up_privileges();
    runtime_->start();
    running_ = true;
    hotplug_->started(!options.give_up_privileges);
    managers_->rstp.configure(publisher_->running(), runtime_->clock().now());
    events_.notice("started", {},
                   fmt::format("workers run, {:%Q} ms after the start",
                               std::chrono::ceil<std::chrono::milliseconds>(
                                   std::chrono::steady_clock::now() - options.began)));
    services_.run(loop_);
    return {};
}

// What needs devices, or state of the daemon; the managers add themselves.
void Daemon::add_services() {
    using enum ServiceId;
    managers_->add_to(services_);
    services_.add(next_hops,
                  std::make_unique<NextHops>(*runtime_, *publisher_, managers_->neighbours));
    services_.add(captures, *captures_);
    services_.add(cable_trial, *trials_);
    services_.add(rates, *rates_);
    services_.add(state, *state_);
    hotplug_->add_to(services_);
    add_watches(
        services_,
        {.dataplane = runtime_->dataplane(),
         .publisher = *publisher_,
         .events = events_,
         .is_there = [this](PortIndex port) { return hotplug_->is_there(port); },
         .missed = [this](PortIndex port) { return runtime_->ports()[port]->stats().missed; },
         .abilities = [this] { return runtime_->abilities(); },
         .pauses_before = [this](PortIndex port) { return runtime_->pauses_before(port); },
         .proved_to_receive = [this](PortIndex port) { prove(port, {.receives = true}); },
         .lldp_agents = [this] { return managers_->lldp.agents(); },
         .announce = [this](PortIndex port, Nanos now) { managers_->lldp.announce(port, now); },
         .lost_log_lines = [this]() -> std::optional<uint64_t> {
             // Writes how many lines were lost, if it can.
             spdlog::default_logger_raw()->flush();
             if (!lost_log_lines_) return {};
             return lost_log_lines_();
         }});
}

tl::expected<void, std::string> Daemon::listen(const config::Configuration& configuration) {
    auto api = Api::listen(
        loop_, configuration.control.socket,
        [this](std::string_view line, const Reply& reply) { answer(line, reply); },
        [this] { return http_ && http_->disconnect_idlest(); }, configuration.control.readers);
    if (!api) return tl::unexpected(api.error());
    api_ = std::move(*api);
    if (configuration.metrics.listen.empty()) return {};
    auto server =
        http::serve(loop_, configuration.metrics,
                    {.show = [this](std::string_view noun, bool all) { return show(noun, all); },
                     .show_growing = [this](std::string_view noun,
                                            bool all) { return show_growing(noun, all); },
                     .select = [this](const ShowRequest& request) { return selected(request); },
                     .totals = [this] { return totals(view()); },
                     .recording =
                         [this](uint64_t number, std::size_t from) {
                             const Recording* const found = managers_->recorder.find(number);
                             return found == nullptr ? Json() : recording_page(*found, from);
                         },
                     .events = events_.log(),
                     .metrics = [this]() -> const config::MetricsConfig& {
                         return publisher_->running().metrics;
                     }});
    if (!server) return tl::unexpected(server.error());
    http_ = std::move(*server);
    return {};
}

void Daemon::give_up_privileges() const {
    pmd::Keeping keeping;
    keeping.edits_kernel_fdb = managers_->evpn.is_on();
    for (const auto& port : runtime_->ports()) {
        if (!port) continue;
        keeping.devices.push_back(port->device());
        keeping.gives_back = keeping.gives_back || port->gives_back();
    }
    for (const std::string& kind : publisher_->running().hotplug.devices) {
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
    // By default they end a process at once, with what it holds: and they mean nothing here.
    for (const int signal : {SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO}) {
        std::signal(signal, SIG_IGN);
    }
    sources_.push_back(loop_.on_signal(SIGHUP, [this] { read_file_again(); }));
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

// What a port was seen to do holds from now on, and is kept in the background.
void Daemon::prove(PortIndex port, const Seen& seen) {
    if (auto keep = runtime_->prove(port, seen)) {
        const auto not_kept = std::make_shared<std::string>();
        background_->run([not_kept, keep = std::move(keep)] { *not_kept = keep(); },
                         [this, not_kept, port] {
                             if (!not_kept->empty()) {
                                 events_.warn("proof_not_kept", port_name(port), *not_kept);
                             }
                         });
    }
    managers_->dcbx.update_abilities(port, runtime_->abilities()[port], runtime_->clock().now());
}

// --- what an operator sees -----------------------------------------------------------------------

void Daemon::log_what_started() const {
    const Settings& settings = publisher_->running().settings;
    std::string cpus;
    for (const unsigned cpu : runtime_->cpus()) cpus += fmt::format(" {}", cpu);
    spdlog::info("{} port(s), {} worker(s) on CPU{}, a buffer of {}, {} frame buffers in {}{}",
                 hotplug_->links().size(), settings.workers, cpus,
                 config::format_size(settings.buffer.size.count()), runtime_->pool().size(),
                 runtime_->eal().huge_pages() ? "huge pages" : "ordinary pages",
                 text_of(runtime_->placement()));
    for (const std::string& notice : runtime_->placement().notices) spdlog::warn("{}", notice);
    for (const std::string& notice : runtime_->eal().notices()) spdlog::warn("{}", notice);
    for (const std::string& notice : runtime_->notices()) spdlog::warn("{}", notice);
    const std::vector<PortView> views = runtime_->port_views(hotplug_->links());
    for (PortIndex port = 0; port < hotplug_->links().size(); ++port) {
        if (views[port].vacant) continue;
        const PortSettings& about = settings.ports[port];
        const PortAbilities& can = views[port].abilities;
        spdlog::info("{}: {}, link {}, {}, address {}, pfc_rx {}, pfc_tx {}, lldp_rx {}",
                     views[port].name, views[port].device,
                     hotplug_->links()[port].up ? "up" : "down",
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
    if (api_) spdlog::info("answers on {}", publisher_->running().control.socket);
    if (http_) log_who_may_look();
}

void Daemon::log_who_may_look() const {
    const config::MetricsConfig& metrics = publisher_->running().metrics;
    const bool tls = !metrics.certificate.empty();
    spdlog::info("answers on {}://{}/", tls ? "https" : "http", metrics.listen);
    if (http::is_loopback(metrics.listen)) return;
    if (metrics.token_file.empty()) {
        spdlog::warn(
            "metrics.listen: who reaches {} reads all that `sluice show` has; write "
            "metrics.token_file, or listen on 127.0.0.1",
            metrics.listen);
    } else if (!tls) {
        spdlog::warn(
            "metrics.token_file: without metrics.tls the token crosses the network in "
            "clear; write a certificate and its key");
    }
}

// --- what is asked -------------------------------------------------------------------------------

void Daemon::apply(ApplyRequest request, std::function<void(const Adopted&)> done) {
    const auto load = [text = std::move(request.text), file = request.file] {
        return config::load_text(text, file);
    };
    load_and_adopt(load, [this, request = std::move(request), done = std::move(done)](Read next) {
        if (request.number && *request.number != number_) {
            return done(tl::unexpected(StartFailure{
                Status::failed, {"apply: another configuration runs by now; read it again"}}));
        }
        const bool whole = request.change.empty();
        const Adopted adopted =
            adopt(std::move(next), whole ? "settings of " + request.file : request.change,
                  request.confirm_within);
        if (adopted) {
            if (whole) startup_file_.applied(publisher_->running().source.text);
            if (!confirmation_.waits()) startup_file_.stays();
            wait_for_workers();
        }
        done(adopted);
    });
}

// So that what is answered is so.
void Daemon::wait_for_workers() {
    if (runtime_->workers().wait_until_adopted(longest_adoption)) return;
    events_.warn("adoption_late", {},
                 "a worker still works by the settings before: it gets no CPU");
}

// A file's mount may answer late, or never, and a capture be long: nobody else waits for them.
void Daemon::load_and_adopt(std::function<Loaded()> load, std::function<void(Read)> adopt) {
    std::vector<std::string> running;
    for (const auto& port : publisher_->running().ports) running.push_back(port.device);
    const auto read = std::make_shared<std::optional<Read>>();
    background_->run(
        [read, load = std::move(load), running = std::move(running)] {
            Read& now = read->emplace(Read{load(), {}});
            if (now.loaded) now.captures = check_captures(*now.loaded, running);
        },
        [read, adopt = std::move(adopt)] { adopt(std::move(**read)); });
}

Daemon::Adopted Daemon::adopt(Read read, const std::string& what,
                              std::optional<std::chrono::seconds> confirm_within) {
    if (!read.loaded) {
        return tl::unexpected(StartFailure{Status::wrong_input, lines_of(read.loaded.error())});
    }
    if (!read.captures.lines.empty()) return tl::unexpected(std::move(read.captures));
    const config::Source& running = publisher_->running().source;
    Confirmation::Text before{running.file, running.text};
    Adopted adopted = hotplug_->take_over(std::move(*read.loaded), confirm_within.has_value());
    if (!adopted) return adopted;
    ++number_;
    confirmation_.adopted(std::move(before), confirm_within);
    adopted->renamed = log_adoption(what);
    return adopted;
}

void Daemon::go_back(const Confirmation::Text& before) {
    const auto load = [before] { return config::load_text(before.text, before.file); };
    is_going_back_ = true;
    load_and_adopt(load, [this, file = before.file](Read read) {
        is_going_back_ = false;
        events_.warn("not_confirmed", {}, "nobody confirmed what was applied: it goes back");
        startup_file_.goes_back();
        if (const Adopted adopted = adopt(std::move(read), "settings of " + file); !adopted) {
            for (const std::string& line : adopted.error().lines) events_.warn("refused", {}, line);
        }
    });
}

std::vector<std::string> Daemon::log_adoption(const std::string& what) {
    events_.notice("adopted", {}, fmt::format("{} adopted", config::escaped(what)));
    std::vector<std::string> renamed = hotplug_->follow_names();
    follow_settings();
    return renamed;
}

// The workers have them already; what control does for ports follows.
void Daemon::follow_settings() {
    services_.configure(publisher_->running());
    // LACP that begins counts from 0, whatever was read of the port before.
    for_each_port(managers_->lacp.begun(),
                  [&](PortIndex port) { counters_.lacp_began(port_name(port)); });
}

void Daemon::read_file_again() {
    // One that has not begun will read what is there by then.
    if (reloads_ == 2) return;
    ++reloads_;
    manager_.report("RELOADING=1");
    const auto load = [file = file_] { return config::load(file, config::FileKind::regular); };
    load_and_adopt(load, [this](Read read) {
        if (const Adopted adopted = adopt(std::move(read), "settings of " + file_); adopted) {
            startup_file_.holds(publisher_->running().source.text);
        } else {
            for (const std::string& line : adopted.error().lines) events_.warn("refused", {}, line);
        }
        if (--reloads_ == 0) manager_.report("READY=1");
    });
}

}  // namespace sluice::control
