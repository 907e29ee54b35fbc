#include "control/http/event_feed.h"

#include <fmt/format.h>

#include "control/reply.h"
#include "control/show/events.h"

namespace sluice::control::http {

std::string EventFeed::next(Clock::time_point now) {
    std::string said = events();
    if (!order_.nouns.empty() && now >= due_) {
        said += picture();
        due_ = now + order_.every;
    }
    if (said.empty() && now - spoke_at_ >= silence) said = ": still here\n\n";
    if (!said.empty()) spoke_at_ = now;
    return said;
}

std::string EventFeed::events() {
    std::string said;
    if (order_.since > log_.count()) order_.since = 0;
    for (const Json& row : events_since(log_, order_.since, most_at_once)) {
        const auto number = row["number"].get<uint64_t>();
        if (number > order_.since + 1) {
            said += fmt::format("event: missed\ndata: {{\"events\": {}}}\n\n",
                                number - order_.since - 1);
        }
        said += fmt::format("id: {}\ndata: {}\n\n", number, on_one_line(row));
        order_.since = number;
    }
    return said;
}

std::string EventFeed::picture() const {
    std::string nouns;
    for (const std::string& noun : order_.nouns) {
        nouns += fmt::format(", \"{}\": {}", noun, *look_(noun));
    }
    return fmt::format("event: show\ndata: {{\"at\": \"{}\"{}}}\n\n",
                       to_text(std::chrono::system_clock::now()), nouns);
}

}  // namespace sluice::control::http
