#include "control/http/event_feed.h"

#include <fmt/format.h>

#include "control/show/events.h"
#include "control/socket/reply.h"

namespace sluice::control::http {

std::string EventFeed::next(Clock::time_point now) {
    std::string text = events();
    if (!options_.nouns.empty() && now >= due_) {
        text += snapshot();
        due_ = now + options_.every;
    }
    if (text.empty() && now - sent_at_ >= keep_alive_period) text = ": still here\n\n";
    if (!text.empty()) sent_at_ = now;
    return text;
}

std::string EventFeed::events() {
    std::string text;
    if (options_.since > log_.count()) options_.since = 0;
    for (const Json& row : events_since(log_, options_.since, most_at_once)) {
        const auto number = row["number"].get<uint64_t>();
        if (number > options_.since + 1) {
            text += fmt::format("event: missed\ndata: {{\"events\": {}}}\n\n",
                                number - options_.since - 1);
        }
        text += fmt::format("id: {}\ndata: {}\n\n", number, on_one_line(row));
        options_.since = number;
    }
    return text;
}

std::string EventFeed::snapshot() const {
    std::string nouns;
    for (const std::string& noun : options_.nouns) {
        nouns += fmt::format(", \"{}\": {}", noun, *show_(noun));
    }
    return fmt::format("event: show\ndata: {{\"at\": \"{}\"{}}}\n\n",
                       to_text(std::chrono::system_clock::now()), nouns);
}

}  // namespace sluice::control::http
