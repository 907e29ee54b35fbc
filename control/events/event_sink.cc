#include "control/events/event_sink.h"

#include <algorithm>
#include <array>

namespace sluice::control {

namespace {

// Kinds of events that a peer can cause as often as it likes, by the beginning of their names. Rows
// of the same protocol share a limit.
struct LimitedKinds {
    std::string_view beginning;
    std::string_view protocol;
    bool by_port = true;  // false: one limit for the whole switch
};
constexpr auto limited_kinds = std::to_array<LimitedKinds>({
    {"lldp_neighbour_", "lldp"},
    {"lacp_", "lacp"},
    {"loop_", "loop guard"},
    {"stp_", "spanning tree"},
    {"dcbx_", "dcbx"},
    {"neighbour_", "ARP and ND"},
    {"address_taken", "ARP and ND"},
    {"vtep_", "ARP and ND"},
    {"querier_", "querier", false},
});

// Returns the limit of a kind; null: it is not limited.
const LimitedKinds* limit_of(std::string_view kind) {
    const auto* const row = std::ranges::find_if(limited_kinds, [&](const LimitedKinds& kinds) {
        return kind.starts_with(kinds.beginning);
    });
    return row == limited_kinds.end() ? nullptr : row;
}

}  // namespace

void EventSink::report(Event event) {
    const std::string name = event.where.name.empty() && event.where.port
                                 ? name_of_(*event.where.port)
                                 : event.where.name;
    write_(event.severity, name.empty() ? event.text : name + ": " + event.text);
    log_.add(std::chrono::system_clock::now(), std::move(event.kind), name, std::move(event.text));
}

void EventSink::notice(std::string kind, Where where, std::string text) {
    report(control::notice(std::move(kind), std::move(where), std::move(text)));
}

void EventSink::warn(std::string kind, Where where, std::string text) {
    report(control::warning(std::move(kind), std::move(where), std::move(text)));
}

void EventSink::report_silently(const Event& event) {
    log_.add(std::chrono::system_clock::now(), event.kind, event.where.name, event.text);
}

bool EventSink::admits(std::string_view kind, const Where& where, Nanos now) {
    const LimitedKinds* const kinds = limit_of(kind);
    if (kinds == nullptr) return true;
    Key key(kinds->protocol, kinds->by_port ? where.port : std::nullopt);
    FrameLimit& limit = limits_[std::move(key)];
    limit.configure(1, burst);  // has no effect if the limit is configured already
    return limit.takes(now);
}

void EventSink::report(Event event, Nanos now) {
    if (admits(event.kind, event.where, now)) report(std::move(event));
}

std::optional<uint64_t> EventSink::growth(std::string_view kind, const Where& where, uint64_t count,
                                          Time now) {
    return counts_[Key(kind, where.port)].look(count, now);
}

void EventSink::skip(std::string_view kind, const Where& where, uint64_t count) {
    counts_[Key(kind, where.port)].skip(count);
}

void EventSink::begin_anew(std::string_view kind, const Where& where, uint64_t count) {
    RateLimitedCount& anew = counts_[Key(kind, where.port)] = {};
    anew.skip(count);
}

}  // namespace sluice::control
