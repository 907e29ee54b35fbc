#include "control/state/state_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>

#include "control/state/learned.h"
#include "control/state/state_file.h"

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

void StateKeeper::restore(Nanos now) {
    const config::Configuration& running = publisher_.running();
    if (!running.state.any()) return;
    StateFile& file = writer()->file();
    if (const std::string another = file.claim(); !another.empty()) {
        return events_.warn("state_refused", {},
                            another +
                                ", starting with empty state, and nothing is kept; give each "
                                "switch its own control.state");
    }
    const StateFile::Content content = file.read();
    if (!content.is_there) return;
    if (!content.unreadable.empty()) {
        return events_.warn(
            "state_refused", {},
            fmt::format(
                "{}: cannot be read ({}), starting with empty state; make sluiced its owner",
                content.path, content.unreadable));
    }
    const auto saved =
        content.refused.empty() ? SavedState::read(content.text) : tl::unexpected(content.refused);
    if (!saved) {
        return events_.warn("state_refused", {},
                            fmt::format("{}: {}, starting with empty state; {}", content.path,
                                        saved.error(), StateFile::set_aside(content, "refused")));
    }
    const auto passed = wall_clock() - std::chrono::seconds(saved->saved_at);
    if (passed < 0s) {
        events_.warn(
            "state_restored", {},
            fmt::format(
                "{}: saved {} s in the future: the clock was set back; taken as saved just now",
                content.path, -passed.count()));
    }
    std::size_t known = 0;
    if (running.state.fdb) {
        for (const auto& address : addresses_to_restore(*saved, running, std::max(passed, 0s))) {
            if (!dataplane_.restore(address, now)) continue;
            ++known;
            remembered_at_ |= only(address.port);
        }
        links_waited_for_ = now + links_come_within;
    }
    std::size_t counting = 0;
    if (running.state.counters) counting = counters_.restore(*saved, running);
    events_.notice("state_restored", {},
                   fmt::format("restored {} address(es) and the counters of {} port(s), {} s old",
                               known, counting, std::max(passed, 0s).count()));
}

// Forgets restored addresses on ports whose link did not come up in time: the stations may have
// moved.
void StateKeeper::forget_where_no_link_came(Nanos now) {
    if (remembered_at_ == 0 || now < links_waited_for_) return;
    const config::Configuration& running = publisher_.running();
    for_each_port(std::exchange(remembered_at_, 0), [&](PortIndex port) {
        PortSet members = only(port);
        for (const config::AggregationConfig& aggregation : running.aggregations) {
            if ((aggregation.members & only(port)) != 0) members = aggregation.members;
        }
        bool has_link = running.settings.ports[port].sticky;
        for_each_port(members,
                      [&](PortIndex member) { has_link = has_link || dataplane_.link(member); });
        if (!has_link) dataplane_.flush_fdb_port(port);
    });
}

SavedState StateKeeper::state_at(Nanos now) const {
    const config::Configuration& running = publisher_.running();
    SavedState state;
    state.saved_at = wall_clock().count();
    if (running.state.fdb) {
        save_addresses(state, dataplane_.fdb(), running, now);
    }
    if (running.state.counters) counters_.save(state, running);
    return state;
}

void StateKeeper::tick(Nanos now) {
    forget_where_no_link_came(now);
    const config::Configuration& running = publisher_.running();
    if (!running.state.any() || keeps_ || now < next_keeping_) return;
    next_keeping_ = now + running.state.interval;
    keeps_ = true;
    const auto failed = std::make_shared<std::string>();
    background_.run([failed, state = std::make_shared<SavedState>(state_at(now)),
                     writer = writer()] { *failed = writer->write(state->text()); },
                    [this, failed] {
                        assert(keeps_);
                        keeps_ = false;
                        report(*failed);
                    });
}

void StateKeeper::keep_soon(Nanos now) { next_keeping_ = std::min(next_keeping_, now + soon); }

void StateKeeper::keep_at_the_end(Nanos now) {
    if (!publisher_.running().state.any()) return;
    report(writer()->write_last(state_at(now).text()));
}

// There is a single writer as long as the switch runs, so that nothing is written after the last
// state.
const std::shared_ptr<StateWriter>& StateKeeper::writer() {
    if (!writer_) {
        writer_ = std::make_shared<StateWriter>(file_of(publisher_.running().control));
    }
    return writer_;
}

void StateKeeper::report(const std::string& failed) {
    if (!failed.empty() && kept_) {
        events_.warn("state_not_kept", {},
                     failed +
                         ", so a restart would find older state, or none; make control.state a "
                         "folder of sluiced's");
    }
    kept_ = failed.empty();
}

}  // namespace sluice::control
