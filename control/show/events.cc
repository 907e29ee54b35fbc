#include "control/show/events.h"

namespace sluice::control {

Json events_since(const EventLog& log, uint64_t since, std::size_t most) {
    if (since > log.count()) since = 0;
    Json rows = Json::array();
    for (const LoggedEvent& event : log.events()) {
        if (event.number <= since) continue;
        if (rows.size() == most) break;
        rows.push_back({{"number", event.number},
                        {"at", to_text(event.at)},
                        {"kind", event.kind},
                        {"port", event.port},
                        {"text", event.text}});
    }
    return rows;
}

}  // namespace sluice::control
