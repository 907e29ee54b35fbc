#include "control/http/event_feed.h"

#include <gtest/gtest.h>

namespace sluice::control::http {
namespace {

using namespace std::chrono_literals;

class EventFeedTest : public testing::Test {
  protected:
    void happens(int times) {
        for (int n = 0; n < times; ++n) log_.add({}, "link_up", "p0", "a\nb");
    }
    EventFeed feed(FeedOptions options) {
        return {log_, std::move(options),
                [this](const std::string& noun) { return body_of("\"" + noun + look_ + "\""); }};
    }
    static std::size_t count(const std::string& text, const std::string& what) {
        std::size_t found = 0;
        for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
            ++found;
        }
        return found;
    }

    EventLog log_;
    std::string look_ = "!";
    Clock::time_point start_ = Clock::time_point() + 1h;
};

TEST_F(EventFeedTest, says_each_event_once_with_its_number) {
    happens(2);
    EventFeed events = feed({.since = 1});
    EXPECT_EQ(events.next(start_),
              "id: 2\ndata: {\"number\":2,\"at\":\"1970-01-01T00:00:00.000Z\",\"kind\":\"link_up\","
              "\"port\":\"p0\",\"text\":\"a\\nb\"}\n\n");
    EXPECT_EQ(events.next(start_), "");
    happens(1);
    EXPECT_TRUE(events.next(start_).starts_with("id: 3\n"));
}

TEST_F(EventFeedTest, says_so_many_at_once) {
    happens(250);
    EventFeed events = feed({});
    EXPECT_EQ(count(events.next(start_), "id: "), 100U);
    EXPECT_EQ(count(events.next(start_), "id: "), 100U);
    EXPECT_EQ(count(events.next(start_), "id: "), 50U);
}

TEST_F(EventFeedTest, says_how_many_went_before_it_could) {
    happens(static_cast<int>(EventLog::capacity) + 7);
    EXPECT_TRUE(feed({.since = 2})
                    .next(start_)
                    .starts_with("event: missed\ndata: {\"events\": 5}\n\nid: 8\n"));
    EXPECT_EQ(count(feed({.since = 7}).next(start_), "missed"), 0U);
}

TEST_F(EventFeedTest, begins_again_for_who_saw_another_sluiced) {
    happens(1);
    EXPECT_TRUE(feed({.since = 9}).next(start_).starts_with("id: 1\n"));
}

TEST_F(EventFeedTest, shows_pictures_at_their_times) {
    EventFeed looks = feed({.nouns = {"ports", "pfc"}, .every = 500ms});
    const std::string first = looks.next(start_);
    EXPECT_TRUE(first.starts_with("event: show\ndata: {\"at\": \"")) << first;
    EXPECT_TRUE(first.ends_with(", \"ports\": \"ports!\", \"pfc\": \"pfc!\"}\n\n")) << first;
    EXPECT_EQ(looks.next(start_ + 499ms), "");
    look_ = "?";
    EXPECT_NE(looks.next(start_ + 500ms).find("\"ports?\""), std::string::npos);
}

TEST_F(EventFeedTest, says_now_and_then_that_it_is_there) {
    EventFeed events = feed({});
    EXPECT_EQ(events.next(start_), ": still here\n\n");
    EXPECT_EQ(events.next(start_ + 9s), "");
    EXPECT_EQ(events.next(start_ + 10s), ": still here\n\n");
}

}  // namespace
}  // namespace sluice::control::http
