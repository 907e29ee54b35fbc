// RecordedEvents: a sink whose events a test looks at. Ports are called by their index.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "control/events/event_sink.h"

namespace sluice::control {

class RecordedEvents {
  public:
    struct Row {
        Severity severity = Severity::notice;
        std::string kind;
        std::string port;
        std::string text;
    };

    // Returns the events since the last call.
    std::vector<Row> take() {
        std::vector<Row> rows;
        for (const LoggedEvent& event : sink.log().events()) {
            if (event.number <= taken_) continue;
            rows.push_back({severities_.at(event.number - 1), event.kind, event.port, event.text});
        }
        taken_ = sink.log().count();
        return rows;
    }
    // The same, by port and kind: "0lacp_attached 1lacp_attached".
    std::string words() {
        std::string text;
        for (const Row& row : take()) text += (text.empty() ? "" : " ") + row.port + row.kind;
        return text;
    }

  private:
    std::vector<Severity> severities_;
    uint64_t taken_ = 0;

  public:
    EventSink sink{
        [](PortIndex port) { return std::to_string(port); },
        [this](Severity severity, const std::string&) { severities_.push_back(severity); }};
};

}  // namespace sluice::control
