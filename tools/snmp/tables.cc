#include "tools/snmp/tables.h"

namespace sluice::snmp {

namespace {

bool is_less(const Counters& now, const Counters& before) {
    return now.octets < before.octets || now.frames < before.frames ||
           now.discards < before.discards || now.errors < before.errors;
}

}  // namespace

Json Tables::show(const char* noun) const { return ask_({{"show", noun}}).value_or(Json()); }

const Interfaces& Tables::interfaces(const Now& now) {
    if (!is_fresh(read_ms_, now)) read_interfaces(now);
    return interfaces_;
}

void Tables::read_interfaces(const Now& now) {
    // Reads all or none: missing counters would count as 0, and as restarted.
    const auto ports = ask_({{"show", "ports"}});
    const auto counters = ports ? ask_({{"show", "counters"}}) : std::nullopt;
    const auto version = counters ? ask_({{"show", "version"}}) : std::nullopt;
    has_answered_ = version.has_value();
    if (has_answered_) answered_ms_ = now.steady_ms;
    const bool in_grace = answered_ms_ && now.steady_ms - *answered_ms_ < grace_ms;
    const bool answered = std::exchange(answers_, has_answered_ || in_grace);
    if (seen_ && answered != answers_) {
        for (const Interface& about : interfaces_) {
            times_.interfaces[about.name].changed = now.sys_up_time;
        }
    }
    if (version) {
        const std::string up_since = text_at(*version, "up_since");
        const bool began_again = up_since != std::exchange(up_since_, up_since);
        interfaces_ = interfaces_of(*ports, *counters);
        compare(now, began_again);
    }
    // The age of the answers counts from before the query.
    read_ms_ = now.steady_ms;
}

void Tables::compare(const Now& now, bool began_again) {
    std::map<std::string, Seen> seen;
    IfMibTimes times{.table_changed = times_.table_changed};
    for (const Interface& about : interfaces_) {
        InterfaceTimes& of = times.interfaces[about.name];
        if (const auto known = times_.interfaces.find(about.name);
            known != times_.interfaces.end()) {
            of = known->second;
        }
        seen.emplace(about.name, Seen{about.admin_up, about.link, about.in, about.out});
        if (!seen_) continue;
        const auto before = seen_->find(about.name);
        if (before == seen_->end()) {
            of = {now.sys_up_time, now.sys_up_time};
            times.table_changed = now.sys_up_time;
            continue;
        }
        const Seen& was = before->second;
        if (was.admin_up != about.admin_up || was.link != about.link) of.changed = now.sys_up_time;
        if (began_again || is_less(about.in, was.in) || is_less(about.out, was.out)) {
            of.discontinuity = now.sys_up_time;
        }
    }
    for (const auto& [name, was] : seen_.value_or(seen)) {
        if (!seen.contains(name)) times.table_changed = now.sys_up_time;
    }
    seen_ = std::move(seen);
    times_ = std::move(times);
}

const Objects& Tables::part(Part part, const Now& now) {
    Snapshot& snapshot = snapshots_[static_cast<std::size_t>(part)];
    if (is_fresh(snapshot.made_ms, now)) return snapshot.objects;
    const Interfaces& about = interfaces(now);
    if (!has_answered_ && answers_ && snapshot.made_ms && part != Part::interfaces) {
        return snapshot.objects;
    }
    Objects objects;
    if (part == Part::interfaces) {
        put_if_mib(objects, about, times_, answers_);
    } else if (answers_ && part == Part::bridge) {
        put_bridge_mib(objects, about, show("spanning-tree"), show("lldp"), now.unix_seconds);
        put_q_bridge_mib(objects, about, show("vlan"));
    } else if (answers_) {
        put_lldp_mib(objects, about, show("lldp"), remote_indices_);
    }
    snapshot = {now.steady_ms, std::move(objects)};
    return snapshot.objects;
}

}  // namespace sluice::snmp
