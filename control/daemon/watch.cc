// What the daemon polls, and reports when it changes: links, losses, its log, headroom, storms,
// relays, and credit.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <utility>

#include "config/yaml/values.h"
#include "control/daemon/daemon.h"
#include "control/show/credits.h"
#include "pmd_glue/xdp/layout.h"

namespace sluice::control {

namespace {

// Of a port that has vanished. `reopens`: the switch opens its device again by itself.
std::string_view way_back(const pmd::Port& port, bool reopens) {
    if (port.device().traits().makes_interface()) {
        return reopens
                   ? "it is made again"
                   : "restart sluiced to have it back, or have `hotplug: {devices: [tap]}` from "
                     "the start";
    }
    return reopens ? "make it again to have it back"
                   : "make it again and restart sluiced to have it back";
}

std::string_view consequence_of(WatchdogAction action, bool is_relayed) {
    switch (action) {
        case WatchdogAction::drop:
            return is_relayed ? "its frames are dropped, and nothing is relayed"
                              : "its frames are dropped";
        case WatchdogAction::forward:
            return is_relayed ? "the pauses are relayed no more"
                              : "it sends in spite of the pauses";
        default:
            return "nothing is done about it";
    }
}

// What ends a storm, and why that takes longer than `restoration`.
std::string end_of(const Watchdog& watchdog, Priority priority, Nanos restoration) {
    const Nanos after = watchdog.restores_after(priority);
    std::string text =
        fmt::format("until there is no pause for {}", config::format_time(after.count()));
    if (const uint32_t returns = watchdog.returns(priority); returns > 0) {
        text += fmt::format(" (the storm returned {} time{} in a row{})", returns,
                            returns == 1 ? "" : "s",
                            after > restoration ? ", which doubles that up to "
                                                  "pfc.watchdog.longest_restoration"
                                                : "");
    }
    return text;
}

}  // namespace

// Its own, or that of the port below it, as written or as the link runs.
BitsPerSecond Daemon::speed_of_tunnel(PortIndex port) const {
    const config::Configuration& running = publisher_->running();
    const std::vector<PortSettings>& ports = running.settings.ports;
    return ports[running.ports[port].speed_written ? port : ports[port].underlay].speed;
}

// What it was before.
pmd::Link Daemon::look_at_link(PortIndex port) {
    const pmd::Link before = std::exchange(links_[port], runtime_->link_of(port));
    pmd::Link& now = links_[port];
    const PortIndex underlay = publisher_->running().settings.ports[port].underlay;
    const PortSet needed = only(port) | (underlay == no_underlay ? 0 : only(underlay));
    now.up = now.up && (admin_down_ & needed) == 0;
    if (underlay != no_underlay && now.speed.count() > 0) now.speed = speed_of_tunnel(port);
    if (now == before) return before;
    runtime_->dataplane().set_link(port, now.up);
    services_.set_link(port, {now.up, now.speed});
    if (now.up) publisher_->link_runs_at(port, now.speed);
    return before;
}

void Daemon::watch_links() {
    for (PortIndex port = 0; port < links_.size(); ++port) {
        if (!is_there(port)) continue;
        runtime_->ports()[port]->follow_host();
        const pmd::Link before = look_at_link(port);
        const pmd::Link& now = links_[port];
        const pmd::Port& device = *runtime_->ports()[port];
        if (now.vanished && !before.vanished) {
            events_.warn(
                "port_vanished", device.name(),
                fmt::format(
                    "{} is gone; the other ports keep switching; {}", device.device().text,
                    way_back(device, runtime_->reopens(publisher_->running(), port, privileged_))));
        } else if (now.up && !before.up) {
            events_.notice("link_up", device.name(),
                           fmt::format("link up at {}", config::format_rate(now.speed.count())));
        } else if (before.up && !now.up) {
            events_.warn("link_down", device.name(), "link down");
        }
        if (const std::size_t addresses = runtime_->ports()[port]->take_addresses_left_out()) {
            events_.warn(
                "host_addresses", device.name(),
                fmt::format("the host can keep {} addresses of a family, and its interface "
                            "has {} more: nobody answers ARP or ND for these; take some "
                            "away, or give the host all ARP and ND by host.rules",
                            static_cast<int>(xdp_most_addresses), addresses));
        }
        if (auto why = runtime_->ports()[port]->take_note()) {
            events_.notice("connection_ended", device.name(), "not connected: " + *why);
        }
    }
}

void Daemon::watch_abilities() {
    const auto pause_received = [this](PortIndex port) {
        return pauses_received(std::as_const(*runtime_).dataplane(), port) >
               runtime_->pauses_before(port);
    };
    for_each_port(abilities_.look(publisher_->running(), runtime_->abilities(), pause_received),
                  [&](PortIndex port) { prove(port, {.receives = true}); });
}

void Daemon::watch_losses() {
    const Settings& settings = publisher_->effective();
    const LossCounts counts{
        .dropped =
            [this](PortIndex port, Drop why) {
                const Switch& dataplane = runtime_->dataplane();
                if (why != Drop::too_long_for_interface) {
                    return dropped_by_input(dataplane, port, why);
                }
                return dataplane.counters(port).egress_drops.of(why);
            },
        .missed =
            [this](PortIndex port) {
                return is_there(port) ? runtime_->ports()[port]->stats().missed : 0;
            },
        .lossless = [&](PortIndex port) { return settings.ports[port].pfc.lossless != 0; },
        .ignored =
            [this](PortIndex port) {
                const PauseObedience& peer = runtime_->dataplane().ingress(port).obedience();
                uint64_t frames = 0;
                for (Priority priority = 0; priority < max_priorities; ++priority) {
                    frames += peer.late(priority);
                }
                return frames;
            },
    };
    losses_->look(counts, std::chrono::steady_clock::now());
    const uint64_t full = runtime_->dataplane().fdb().full();
    if (full != 0 && fdb_full_ == 0) {
        events_.warn("fdb_full", {},
                     "an address found no place in the FDB and is flooded; raise fdb.capacity");
    }
    fdb_full_ = full;
}

void Daemon::watch_moves() {
    std::vector<RefusedMove> refused;
    runtime_->dataplane().take_refused_moves(
        [&](const RefusedMove& move) { refused.push_back(move); });
    const auto report = moves_.look(refused, std::chrono::steady_clock::now());
    const Settings& settings = publisher_->effective();
    for (const RefusedMove& move : report.moves) {
        const std::string_view because = move.fixed                          ? "fdb.static"
                                         : settings.ports[move.known].sticky ? "fdb.sticky"
                                                                             : "fdb.moves: refuse";
        const bool is_virtual =
            move.family() == FormatFamily::ethernet && is_virtual_router(move.address());
        events_.warn("move_refused", port_name(move.port),
                     fmt::format("{} in VLAN {} stays at {} ({}): its frames are dropped here{}",
                                 to_text(move.family(), move.address()), move.vlan(),
                                 port_name(move.known), because,
                                 is_virtual ? "; a virtual address of VRRP moves by design: give "
                                              "both routers ports where moves are followed"
                                            : ""));
    }
    if (report.beyond != 0) {
        events_.warn("move_refused", {},
                     fmt::format("moves of {} more addresses are refused as well", report.beyond));
    }
}

// An event only: a line in the log might be lost as well, and so cause the next report, for ever.
void Daemon::watch_log() {
    spdlog::default_logger_raw()->flush();  // writes how many lines were lost, if it can
    if (!lost_log_lines_) return;
    if (const auto lines =
            events_.growth("log_lost", {}, lost_log_lines_(), std::chrono::steady_clock::now())) {
        events_.report_silently(
            notice("log_lost", {},
                   fmt::format("{} lines of the log lost: whoever reads standard error does not "
                               "keep up, or has gone",
                               *lines)));
    }
}

// Reported once, as long as it lasts.
void Daemon::watch_headroom() {
    const PortSet before = std::exchange(short_of_headroom_, 0);
    for (PortIndex port = 0; port < links_.size(); ++port) {
        if (!publisher_->short_of_headroom(port)) continue;
        short_of_headroom_ |= only(port);
        if ((before & only(port)) != 0) continue;
        events_.warn("headroom_short", port_name(port), publisher_->shortage_of_headroom(port));
    }
}

// While a port waits, or is without a link, nothing is reported. A peer that does not listen may
// have begun anew without a change of the link, and have no LLDP neighbour yet.
void Daemon::watch_credit() {
    Switch& dataplane = runtime_->dataplane();
    const bool has_lldp = publisher_->running().lldp.enabled;
    for (PortIndex port = 0; port < links_.size(); ++port) {
        if ((dataplane.credit_peer(port) == CreditPeer::no_lldp) == has_lldp) {
            dataplane.set_credit_peer(port, has_lldp ? CreditPeer::unknown : CreditPeer::no_lldp,
                                      0);
        }
        CreditSeen& seen = credit_[port];
        const CreditState state = dataplane.credit(port).state();
        const uint64_t refusals = dataplane.credit(port).refusals();
        if (std::exchange(seen.refusals, refusals) != refusals) {
            managers_->lldp.announce(port, runtime_->clock().now());
        }
        const bool is_news = state == CreditState::credit || state == CreditState::without;
        if (!is_news || std::exchange(seen.reported, state) == state) continue;
        if (state == CreditState::credit) {
            events_.notice("credit_begun", port_name(port),
                           "it and its peer go by credit, and not by PFC");
        } else {
            events_.warn("credit_fallback", port_name(port),
                         fmt::format("it goes by PFC: {}", why_no_credit(dataplane, port)));
        }
    }
}

// Storms and stalls are reported as they begin and as they are over.
void Daemon::watch_outputs() {
    for (PortIndex port = 0; port < reported_pfc_storms_.size(); ++port) {
        if (!is_there(port)) continue;
        watch_pfc_storms(port);
        watch_stall(port);
    }
}

void Daemon::watch_pfc_storms(PortIndex port) {
    const Egress& egress = std::as_const(*runtime_).dataplane().egress(port);
    const Watchdog& watchdog = egress.watchdog();
    const PrioritySet relayed = egress.gate().relay().priorities();
    const Nanos restoration = publisher_->effective().ports[port].pfc.watchdog.restoration;
    const PrioritySet before = std::exchange(reported_pfc_storms_[port], watchdog.pfc_storms());
    const PrioritySet now = reported_pfc_storms_[port];
    for_each_priority(static_cast<PrioritySet>(before ^ now), [&](Priority priority) {
        if ((now & only_priority(priority)) != 0) {
            const bool is_relayed = (relayed & only_priority(priority)) != 0;
            events_.warn("pfc_storm", port_name(port),
                         fmt::format("priority {} is paused by its peer without end; {} {}",
                                     priority, consequence_of(watchdog.action(), is_relayed),
                                     end_of(watchdog, priority, restoration)));
        } else {
            events_.notice(
                "pfc_restored", port_name(port),
                fmt::format("priority {} is served as before the storm: no pause for {}", priority,
                            config::format_time(watchdog.restores_after(priority).count())));
        }
    });
}

void Daemon::watch_stall(PortIndex port) {
    const StallWatch& watch = std::as_const(*runtime_).dataplane().egress(port).stall_watch();
    const WatchdogSettings& settings = publisher_->effective().ports[port].pfc.watchdog;
    const bool was_stalled = (reported_stalls_ & only(port)) != 0;
    if (watch.is_stalled() == was_stalled) return;
    reported_stalls_ ^= only(port);
    const std::string restoration = config::format_time(settings.restoration.count());
    if (was_stalled) {
        events_.notice(
            "egress_restored", port_name(port),
            fmt::format("its device takes frames again, or none waits, for {}", restoration));
        return;
    }
    events_.warn("egress_stalled", port_name(port),
                 fmt::format("its device has taken nothing for {}: its peer has stopped, or does "
                             "not empty its ring; {} until it takes again for {}",
                             config::format_time(settings.detection.count()),
                             watch.drops_all()
                                 ? "frames for it are dropped (egress_stalled)"
                                 : "copies of floods for it are dropped (egress_stalled), other "
                                   "frames wait (pfc.watchdog.action)",
                             restoration));
}

void Daemon::watch_relays() {
    const Switch& dataplane = std::as_const(*runtime_).dataplane();
    relays_->look({.dataplane = dataplane,
                   .settings = publisher_->effective(),
                   .ports = publisher_->running().ports,
                   .now = runtime_->clock().now()},
                  std::chrono::steady_clock::now());
}

}  // namespace sluice::control
