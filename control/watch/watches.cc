#include "control/watch/watches.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "control/show/snapshot.h"
#include "control/watch/ability_watch.h"
#include "control/watch/credit_watch.h"
#include "control/watch/loss_watch.h"
#include "control/watch/move_watch.h"
#include "control/watch/output_watch.h"
#include "control/watch/parallel_links.h"
#include "control/watch/relay_watch.h"
#include "control/watch/retry_watch.h"
#include "dataplane/ledger.h"

namespace sluice::control {

namespace {

EventSink::Time steady_now() { return std::chrono::steady_clock::now(); }

class RelayService final : public Service {
  public:
    explicit RelayService(const WatchedSwitch& watched)
        : watched_(watched), watch_(watched.publisher.running().ports.size(), watched.events) {}
    void tick(Nanos now) override {
        watch_.look({.dataplane = watched_.dataplane,
                     .settings = watched_.publisher.effective(),
                     .ports = watched_.publisher.running().ports,
                     .now = now},
                    steady_now());
    }
    void forget(PortIndex port) override { watch_.forget(port); }

  private:
    const WatchedSwitch watched_;
    RelayWatch watch_;
};

// A shortage is reported once while it lasts.
class HeadroomService final : public Service {
  public:
    explicit HeadroomService(const WatchedSwitch& watched) : watched_(watched) {}
    void tick(Nanos /*now*/) override {
        const Publisher& publisher = watched_.publisher;
        const PortSet before = std::exchange(short_, 0);
        for (PortIndex port = 0; port < publisher.running().ports.size(); ++port) {
            if (!publisher.short_of_headroom(port)) continue;
            short_ |= only(port);
            if ((before & only(port)) != 0) continue;
            watched_.events.warn("headroom_short", port, publisher.shortage_of_headroom(port));
        }
    }

  private:
    const WatchedSwitch watched_;
    PortSet short_ = 0;  // ports as last reported
};

class AbilityService final : public Service {
  public:
    explicit AbilityService(const WatchedSwitch& watched)
        : watched_(watched), watch_(watched.events) {}
    void configure(const config::Configuration& running, Nanos /*now*/) override { look(running); }
    void tick(Nanos /*now*/) override { look(watched_.publisher.running()); }
    void forget(PortIndex port) override { watch_.forget(port); }

  private:
    void look(const config::Configuration& running) {
        const auto pause_received = [this](PortIndex port) {
            return pauses_received(watched_.dataplane, port) > watched_.pauses_before(port);
        };
        for_each_port(watch_.look(running, watched_.abilities(), pause_received),
                      watched_.proved_to_receive);
    }

    const WatchedSwitch watched_;
    AbilityWatch watch_;
};

class LossService final : public Service {
  public:
    explicit LossService(const WatchedSwitch& watched)
        : watched_(watched), watch_(watched.publisher.running().ports.size(), watched.events) {}
    void tick(Nanos /*now*/) override {
        const Switch& dataplane = watched_.dataplane;
        const LossCounts counts{
            .dropped =
                [&](PortIndex port, Drop why) {
                    if (why != Drop::too_long_for_interface) {
                        return dropped_by_input(dataplane, port, why);
                    }
                    return dataplane.counters(port).egress_drops.of(why);
                },
            .missed =
                [this](PortIndex port) {
                    return watched_.is_there(port) ? watched_.missed(port) : 0;
                },
            .lossless =
                [this](PortIndex port) {
                    return watched_.publisher.effective().ports[port].pfc.lossless != 0;
                },
            .ignored =
                [&](PortIndex port) {
                    const PauseObedience& peer = dataplane.ingress(port).obedience();
                    uint64_t frames = 0;
                    for (Priority priority = 0; priority < max_priorities; ++priority) {
                        frames += peer.late(priority);
                    }
                    return frames;
                },
        };
        watch_.look(counts, steady_now());
        const uint64_t full = dataplane.fdb().full();
        if (full != 0 && fdb_full_ == 0) {
            watched_.events.warn("fdb_full", {},
                                 "the FDB is full: frames to an address that found no room are "
                                 "flooded; raise fdb.capacity");
        }
        fdb_full_ = full;
    }

  private:
    const WatchedSwitch watched_;
    LossWatch watch_;
    uint64_t fdb_full_ = 0;
};

class MoveService final : public Service {
  public:
    explicit MoveService(const WatchedSwitch& watched) : watched_(watched) {}
    void tick(Nanos /*now*/) override {
        std::vector<RefusedMove> refused;
        watched_.dataplane.take_refused_moves(
            [&](const RefusedMove& move) { refused.push_back(move); });
        const auto report = watch_.look(refused, steady_now());
        for (const RefusedMove& move : report.moves) {
            watched_.events.warn("move_refused", move.port, text_of(move));
        }
        if (report.beyond != 0) {
            watched_.events.warn(
                "move_refused", {},
                fmt::format("moves of {} more addresses are refused", report.beyond));
        }
    }

  private:
    [[nodiscard]] std::string text_of(const RefusedMove& move) const {
        const Publisher& publisher = watched_.publisher;
        const bool is_sticky = publisher.effective().ports[move.known].sticky;
        const std::string_view because = move.fixed  ? "fdb.static"
                                         : is_sticky ? "fdb.sticky"
                                                     : "fdb.moves: refuse";
        const bool is_virtual =
            move.family() == FormatFamily::ethernet && is_virtual_router(move.address());
        return fmt::format(
            "move of {} in VLAN {} refused: it stays at {} ({}), and its frames are dropped here{}",
            to_text(move.family(), move.address()), move.vlan(),
            publisher.running().ports[move.known].name, because,
            is_virtual ? "; a virtual address of VRRP moves by design: give both "
                         "routers ports where moves are followed"
                       : "");
    }

    const WatchedSwitch watched_;
    MoveWatch watch_;
};

class ParallelLinksService final : public Service {
  public:
    explicit ParallelLinksService(const WatchedSwitch& watched) : watched_(watched) {}
    void tick(Nanos /*now*/) override {
        const auto changes = watch_.look(watched_.publisher.running(), watched_.lldp_agents());
        for (const ParallelLinks::Change& change : changes) {
            if (change.begins) {
                watched_.events.warn("parallel_links", change.port, change.text);
            } else {
                watched_.events.notice("parallel_links_over", change.port, change.text);
            }
        }
    }

  private:
    const WatchedSwitch watched_;
    ParallelLinks watch_;
};

// Reports lost lines by an event that has no line in the log. Otherwise that line might be lost as
// well, and its loss be reported in turn, without end.
class LogService final : public Service {
  public:
    explicit LogService(const WatchedSwitch& watched) : watched_(watched) {}
    void tick(Nanos /*now*/) override {
        const auto lost = watched_.lost_log_lines();
        if (!lost) return;
        if (const auto lines = watched_.events.growth("log_lost", {}, *lost, steady_now())) {
            watched_.events.report_silently(
                notice("log_lost", {},
                       fmt::format("{} lines of the log lost: the reader of standard error is too "
                                   "slow, or has closed it",
                                   *lines)));
        }
    }

  private:
    const WatchedSwitch watched_;
};

}  // namespace

void add_watches(ServiceList& services, const WatchedSwitch& watched) {
    services.add(ServiceId::outputs,
                 std::make_unique<OutputWatch>(watched.dataplane, watched.publisher, watched.events,
                                               watched.is_there));
    services.add(ServiceId::relays, std::make_unique<RelayService>(watched));
    services.add(ServiceId::headroom, std::make_unique<HeadroomService>(watched));
    services.add(ServiceId::credits,
                 std::make_unique<CreditWatch>(watched.dataplane, watched.publisher, watched.events,
                                               watched.announce));
    services.add(ServiceId::retries, std::make_unique<RetryReports>(
                                         watched.dataplane, watched.publisher, watched.events));
    services.add(ServiceId::abilities, std::make_unique<AbilityService>(watched));
    services.add(ServiceId::losses, std::make_unique<LossService>(watched));
    services.add(ServiceId::moves, std::make_unique<MoveService>(watched));
    services.add(ServiceId::parallel_links, std::make_unique<ParallelLinksService>(watched));
    services.add(ServiceId::log, std::make_unique<LogService>(watched));
}

}  // namespace sluice::control
