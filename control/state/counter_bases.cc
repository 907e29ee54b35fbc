#include "control/state/counter_bases.h"

#include <algorithm>

#include "control/show/counters.h"
#include "control/state/learned.h"

namespace sluice::control {

Json CounterBases::since_added(std::string_view noun, bool all) const {
    return before_ports_.since(noun, snapshot_(noun, all), all);
}

Json CounterBases::show(std::string_view noun, bool all) const {
    if (noun == "counters") return counters_of(show("ports", false), show("drops", false));
    return restored_shown_.add_to(noun, all, [&](bool whole) {
        return cleared_.since(noun, since_added(noun, whole), whole);
    });
}

Json CounterBases::show_growing(std::string_view noun, bool all) const {
    if (noun == "counters") {
        return counters_of(show_growing("ports", false), show_growing("drops", false));
    }
    return restored_.add_to(noun, all, [&](bool whole) { return since_added(noun, whole); });
}

void CounterBases::clear() {
    cleared_.take([this](std::string_view noun) { return since_added(noun, false); });
    restored_shown_.clear();
}

void CounterBases::port_added(const std::string& name) {
    before_ports_.take_port(name, [this](std::string_view noun) { return snapshot_(noun, false); });
    cleared_.take_port(name, [this](std::string_view noun) { return since_added(noun, false); });
    restored_.forget(name);
    restored_shown_.forget(name);
}

void CounterBases::lacp_began(const std::string& port) {
    before_ports_.forget("lacp", port);
    cleared_.forget("lacp", port);
}

void CounterBases::rename(const std::map<std::string, std::string>& ports) {
    before_ports_.rename(ports);
    cleared_.rename(ports);
    restored_.rename(ports);
    restored_shown_.rename(ports);
}

std::size_t CounterBases::restore(const SavedState& saved, const config::Configuration& running) {
    for (const auto& [place, counts] : saved.counters) {
        const auto port = port_at(saved.places[place], running);
        if (!port) continue;
        RestoredCounters::Counts total;
        RestoredCounters::Counts shown;
        for (const auto& [name, count] : counts) {
            total.emplace(name, count.total);
            shown.emplace(name, count.shown);
        }
        restored_.take(running.ports[*port].name, std::move(total));
        restored_shown_.take(running.ports[*port].name, std::move(shown));
    }
    return restored_.ports();
}

void CounterBases::save(SavedState& state, const config::Configuration& running) const {
    // Saves `total` and `shown` from the same readings, so that they differ only by the cleared
    // counts.
    std::map<std::string_view, Json> readings;
    const auto reading = [&](std::string_view noun) {
        return readings.try_emplace(noun, since_added(noun, true)).first->second;
    };
    const auto totals = RestoredCounters::counts_of([&](std::string_view noun) {
        return restored_.add_to(noun, true, [&](bool) { return reading(noun); });
    });
    auto shown = RestoredCounters::counts_of([&](std::string_view noun) {
        return restored_shown_.add_to(
            noun, true, [&](bool) { return cleared_.since(noun, reading(noun), true); });
    });
    for (const config::PortConfig& port : running.ports) {
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

}  // namespace sluice::control
