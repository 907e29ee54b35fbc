// EventFeed: the event log as server-sent events (WHATWG HTML, 9.2), and, if requested, nouns of
// `sluice show` once a period.
//
// Each event is one message whose `id` is the event's number, so that a browser that reconnects
// continues there. If the log has dropped events that were not sent yet, a message `missed` has
// their number. A message `show` has all requested nouns; the first one is sent at once.
// Bound: a piece holds at most `most_at_once` events and one message `show`. If no message is sent
// for `keep_alive_period`, a comment is sent.
// Not done here: parsing the query (site.h), the socket (connection.h).
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "control/events/event_log.h"
#include "control/http/response.h"

namespace sluice::control::http {

struct FeedOptions {
    uint64_t since = 0;  // only events with a higher number
    std::vector<std::string> nouns;
    std::chrono::milliseconds every{1000};        // time between two messages `show`
    static constexpr uint64_t least_every = 100;  // ms
    static constexpr uint64_t most_every = 60'000;
};

class EventFeed : public Feed {
  public:
    static constexpr std::size_t most_at_once = 100;
    static constexpr std::chrono::seconds keep_alive_period{10};

    // `show` returns a noun as JSON on one line.
    EventFeed(const EventLog& log, FeedOptions options,
              std::function<Body(const std::string&)> show)
        : log_(log), options_(std::move(options)), show_(std::move(show)) {}

    std::string next(Clock::time_point now) override;

  private:
    [[nodiscard]] std::string events();
    [[nodiscard]] std::string snapshot() const;

    const EventLog& log_;
    FeedOptions options_;
    std::function<Body(const std::string&)> show_;
    Clock::time_point due_;  // time of the next message `show`
    Clock::time_point sent_at_;
};

}  // namespace sluice::control::http
