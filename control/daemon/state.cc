// What outlasts a restart: restored before workers run, written every so often and at the end; and
// what is shown, and from where counters are.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "control/daemon/daemon.h"
#include "control/show/counters.h"
#include "control/state/learned.h"
#include "control/state/state_file.h"
#include "pmd_glue/eal.h"

namespace sluice::control {

namespace {

using namespace std::chrono_literals;

constexpr Nanos links_come_within{10'000'000'000};
constexpr Nanos soon{1'000'000'000};

StateFile file_of(const config::ControlConfig& control) {
    return StateFile::of(control, "state", longest_state);
}

std::chrono::seconds wall_clock() {
    return std::chrono::floor<std::chrono::seconds>(
        std::chrono::system_clock::now().time_since_epoch());
}

}  // namespace

// --- what counters are shown from ----------------------------------------------------------------

View Daemon::view() const {
    std::vector<PortView> ports = runtime_->port_views(links_);
    for (std::size_t port = 0; port < ports.size(); ++port) {
        ports[port].aggregation = publisher_->running().ports[port].aggregation;
        ports[port].description = publisher_->running().ports[port].description;
        const auto place = static_cast<PortIndex>(port);
        ports[port].loop_guard = managers_->loop_guard.state(place);
        const config::PortConfig& running = publisher_->running().ports[port];
        if (ports[port].vacant && !running.vacant) {  // away for a while
            ports[port].name = running.name;
            ports[port].device = running.device;
            ports[port].vanished = true;
        }
        ports[port].vacant = running.vacant;
    }
    return {
        .dataplane = std::as_const(*runtime_).dataplane(),
        .settings = publisher_->effective(),
        .ports = std::move(ports),
        .workers = runtime_->worker_views(),
        .events = events_.log(),
        .agents = managers_->lldp.agents(),
        .dcbx = managers_->dcbx.agents(),
        .aggregators = managers_->lacp.aggregators(),
        .now = runtime_->clock().now(),
        .polls = runtime_->polls(),
        .configuration_file = publisher_->running().source.file,
        .configuration = publisher_->running().source.text,
        .sflow = &managers_->sflow,
        .recorder = &managers_->recorder,
        .evpn = &managers_->evpn,
        .tunnels = runtime_->tunnel_views(),
        .neighbours = &managers_->neighbours,
        .querier = &managers_->querier,
        .rstp = &managers_->rstp,
        .dpdk = pmd::dpdk_version(),
        .up_since = up_since_,
        .vlan_names = &publisher_->running().vlan_names,
        .rates = rates_.rates(),
        .history = &history_,
    };
}

Json Daemon::since_added(std::string_view noun, bool all) const {
    return ports_before_.since(noun, snapshot(noun, view(), all), all);
}

Json Daemon::show(std::string_view noun, bool all) const {
    if (noun == "counters") return counters_of(show("ports"), show("drops"));
    return restored_counters_shown_.add_to(noun, all, [&](bool whole) {
        return cleared_.since(noun, since_added(noun, whole), whole);
    });
}

Json Daemon::show_growing(std::string_view noun, bool all) const {
    if (noun == "counters") return counters_of(show_growing("ports"), show_growing("drops"));
    return restored_counters_.add_to(noun, all,
                                     [&](bool whole) { return since_added(noun, whole); });
}

// --- what was known before -----------------------------------------------------------------------

void Daemon::restore_state() {
    const config::Configuration& running = publisher_->running();
    if (!running.state.any()) return;
    StateFile& file = state_writer()->file();
    if (const std::string another = file.claim(); !another.empty()) {
        return events_.warn("state_refused", {},
                            another +
                                ", so the switch begins anew and keeps nothing; give each a "
                                "folder, control.state");
    }
    const StateFile::Content content = file.read();
    if (!content.is_there) return;
    if (!content.unreadable.empty()) {
        return events_.warn(
            "state_refused", {},
            fmt::format("{}: cannot be read ({}), so the switch begins anew; make it "
                        "sluiced's",
                        content.path, content.unreadable));
    }
    const auto saved =
        content.refused.empty() ? SavedState::read(content.text) : tl::unexpected(content.refused);
    if (!saved) {
        return events_.warn("state_refused", {},
                            fmt::format("{}: {}, so the switch begins anew; {}", content.path,
                                        saved.error(), StateFile::set_aside(content, "refused")));
    }
    const auto passed = wall_clock() - std::chrono::seconds(saved->saved_at);
    if (passed < 0s) {
        events_.warn(
            "state_restored", {},
            fmt::format("{}: written {} s from now by this clock, which went back; taken as "
                        "written just now",
                        content.path, -passed.count()));
    }
    std::size_t known = 0;
    if (running.state.fdb) {
        const Nanos now = runtime_->clock().now();
        for (const auto& address : addresses_to_restore(*saved, running, std::max(passed, 0s))) {
            if (!runtime_->dataplane().restore(address, now)) continue;
            ++known;
            remembered_at_ |= only(address.port);
        }
        links_waited_for_ = now + links_come_within;
    }
    if (running.state.counters) restore_counters(*saved);
    events_.notice(
        "state_restored", {},
        fmt::format("{} address(es) are known, and counters of {} port(s) go on, from {} s ago",
                    known, restored_counters_.ports(), std::max(passed, 0s).count()));
}

void Daemon::restore_counters(const SavedState& saved) {
    for (const auto& [place, counts] : saved.counters) {
        const auto port = port_at(saved.places[place], publisher_->running());
        if (!port) continue;
        RestoredCounters::Counts total;
        RestoredCounters::Counts shown;
        for (const auto& [name, count] : counts) {
            total.emplace(name, count.total);
            shown.emplace(name, count.shown);
        }
        restored_counters_.take(port_name(*port), std::move(total));
        restored_counters_shown_.take(port_name(*port), std::move(shown));
    }
}

// Who was there may have gone elsewhere meanwhile, and what has no link sends nothing of itself.
void Daemon::forget_where_no_link_came() {
    if (remembered_at_ == 0 || runtime_->clock().now() < links_waited_for_) return;
    const config::Configuration& running = publisher_->running();
    for_each_port(std::exchange(remembered_at_, 0), [&](PortIndex port) {
        PortSet members = only(port);
        for (const config::AggregationConfig& aggregation : running.aggregations) {
            if ((aggregation.members & only(port)) != 0) members = aggregation.members;
        }
        bool has_link = running.settings.ports[port].sticky;
        for_each_port(members, [&](PortIndex member) {
            has_link = has_link || runtime_->dataplane().link(member);
        });
        if (!has_link) runtime_->dataplane().flush_fdb_port(port);
    });
}

// --- what is kept --------------------------------------------------------------------------------

SavedState Daemon::state_now() const {
    const config::Configuration& running = publisher_->running();
    SavedState state;
    state.saved_at = wall_clock().count();
    if (running.state.fdb) {
        save_addresses(state, runtime_->dataplane().fdb(), running, runtime_->clock().now());
    }
    if (running.state.counters) save_counters(state);
    return state;
}

void Daemon::save_counters(SavedState& state) const {
    // One reading for both, so that they differ by what was cleared alone.
    std::map<std::string_view, Json> readings;
    const auto reading = [&](std::string_view noun) {
        return readings.try_emplace(noun, since_added(noun, true)).first->second;
    };
    const auto totals = RestoredCounters::counts_of([&](std::string_view noun) {
        return restored_counters_.add_to(noun, true, [&](bool) { return reading(noun); });
    });
    auto shown = RestoredCounters::counts_of([&](std::string_view noun) {
        return restored_counters_shown_.add_to(
            noun, true, [&](bool) { return cleared_.since(noun, reading(noun), true); });
    });
    for (const config::PortConfig& port : publisher_->running().ports) {
        const auto counted = totals.find(port.name);
        if (port.vacant || counted == totals.end()) continue;
        SavedCounters& saved = state.counters.emplace_back();
        saved.place = state.place_of({port.name, port.device});
        for (const auto& [name, total] : counted->second) {
            saved.counts.emplace(name, SavedCount{total, shown[port.name][name]});
        }
    }
    std::ranges::sort(state.counters, {}, &SavedCounters::place);
}

// Reading it is control's work, writing it is not.
void Daemon::keep_state() {
    forget_where_no_link_came();
    const config::Configuration& running = publisher_->running();
    const Nanos now = runtime_->clock().now();
    if (!running.state.any() || keeps_ || now < next_keeping_) return;
    next_keeping_ = now + running.state.interval;
    keeps_ = true;
    const auto failed = std::make_shared<std::string>();
    background_->run([failed, state = std::make_shared<SavedState>(state_now()),
                      writer = state_writer()] { *failed = writer->write(state->text()); },
                     [this, failed] {
                         keeps_ = false;
                         log_state_saving(*failed);
                     });
}

// Once workers have done what was ordered.
void Daemon::keep_state_soon() {
    next_keeping_ = std::min(next_keeping_, runtime_->clock().now() + soon);
}

void Daemon::keep_state_at_the_end() {
    if (!publisher_->running().state.any()) return;
    log_state_saving(state_writer()->write_last(state_now().text()));
}

// One for as long as the switch runs, so that nothing is written behind the last.
const std::shared_ptr<StateWriter>& Daemon::state_writer() {
    if (!state_writer_) {
        state_writer_ = std::make_shared<StateWriter>(file_of(publisher_->running().control));
    }
    return state_writer_;
}

void Daemon::log_state_saving(const std::string& failed) {
    if (!failed.empty() && kept_) {
        events_.warn("state_not_kept", {},
                     failed +
                         ", so a restart would find what was written before, or nothing; make "
                         "control.state a folder of sluiced's");
    }
    kept_ = failed.empty();
}

}  // namespace sluice::control
