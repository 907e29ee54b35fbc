// Event: what happened, where, and how severe that is. Code that detects something reports an Event
// to an EventSink (event_sink.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "dataplane/types/limits.h"

namespace sluice::control {

enum class Severity : uint8_t { notice, warning };

// The subject of an event: a port, by index or name; something else with a name, such as an
// aggregation; or the whole switch.
struct Where {
    Where() = default;
    // A port, by its name in the running configuration.
    Where(PortIndex index) : port(index) {}
    Where(std::string called) : name(std::move(called)) {}
    // A port, by another name, such as that of its aggregation. The limits of the port apply.
    Where(PortIndex index, std::string called) : port(index), name(std::move(called)) {}

    std::optional<PortIndex> port;
    std::string name;  // empty: the port's name, or without a port the switch
};

struct Event {
    Severity severity = Severity::notice;
    std::string kind;  // one word for programs, such as `link_up` or `port_vanished`
    Where where;
    std::string text;  // text for people
};

inline Event notice(std::string kind, Where where, std::string text) {
    return {Severity::notice, std::move(kind), std::move(where), std::move(text)};
}
inline Event warning(std::string kind, Where where, std::string text) {
    return {Severity::warning, std::move(kind), std::move(where), std::move(text)};
}

}  // namespace sluice::control
