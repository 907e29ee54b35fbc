// EventFeed: events as they come, as server-sent events (HTML, 9.2), and, to who wants to look on,
// nouns of `sluice show` again and again.
//
// An event is a message with its number as `id`, so that a browser that lost its connection goes on
// where it was; what went out of the log before it could be sent is a message `missed`, with how
// many. Nouns come together in a message `show`, the first at once, each picture whole.
// Bound: `most_at_once` events and one picture a piece; a word every `silence` that it is still
// there.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "control/event_log.h"
#include "control/http/response.h"

namespace sluice::control::http {

struct FeedOrder {
    uint64_t since = 0;  // events above this number
    std::vector<std::string> nouns;
    std::chrono::milliseconds every{1000};  // between two pictures
};

class EventFeed : public Feed {
  public:
    static constexpr std::size_t most_at_once = 100;
    static constexpr std::chrono::seconds silence{10};

    // `look` says a noun as JSON on one line.
    EventFeed(const EventLog& log, FeedOrder order, std::function<Body(const std::string&)> look)
        : log_(log), order_(std::move(order)), look_(std::move(look)) {}

    std::string next(Clock::time_point now) override;

  private:
    [[nodiscard]] std::string events();
    [[nodiscard]] std::string picture() const;

    const EventLog& log_;
    FeedOrder order_;
    std::function<Body(const std::string&)> look_;
    Clock::time_point due_;  // of the next picture
    Clock::time_point spoke_at_;
};

}  // namespace sluice::control::http
