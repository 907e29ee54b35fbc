// A trace from its order to its answer, with a worker that the test is.
#include "control/trace/session.h"

#include <gtest/gtest.h>

#include <optional>

#include "control/trace/report.h"
#include "tests/unit/control/driven_switch.h"

namespace sluice::control {
namespace {

using namespace std::chrono_literals;
using End = TraceSession::End;

class TraceSessionTest : public testing::Test {
  protected:
    void begin(const TraceFilter& filter, std::chrono::milliseconds within = 60s) {
        session_.begin(filter, within, [this](End end, const auto& frames) {
            ended_.push_back(trace_report(driven_.view(), end, frames));
        });
        turn();
    }
    // Control looks, and the worker polls.
    void turn(int times = 3) {
        for (int n = 0; n < times; ++n) {
            driven_.housekeep();
            loop_.run_once(50ms);
            driven_.housekeep();
        }
    }
    void until_ended(std::size_t count = 1) {
        for (int n = 0; n < 1000 && ended_.size() < count; ++n) turn(1);
        ASSERT_EQ(ended_.size(), count);
    }

    DrivenSwitch driven_{3};
    Loop loop_;
    TraceSession session_{loop_, *driven_.dataplane, 1};
    std::vector<Json> ended_;
};

TEST_F(TraceSessionTest, reports_once_the_frames_are_through) {
    begin({.frames = 2});
    driven_.receive(0, 0xA0, 0xB0, 5);
    turn();
    EXPECT_TRUE(ended_.empty());
    driven_.receive(1, 0xB0, 0xA0, 5);
    turn();
    EXPECT_TRUE(ended_.empty()) << "they wait";
    driven_.now += Nanos(3000);
    driven_.forward();
    until_ended();
    EXPECT_EQ(ended_[0]["ended"], "complete");
    ASSERT_EQ(ended_[0]["frames"].size(), 2U);
    const Json& flooded = ended_[0]["frames"][0];
    EXPECT_EQ(flooded["port"], "p0");
    EXPECT_EQ(flooded["looked_up"]["result"], "unknown");
    EXPECT_EQ(flooded["looked_up"]["outputs"], Json({"p1", "p2"}));
    EXPECT_EQ(flooded["classified"], Json({{"vlan", 1}, {"priority", 5}, {"rule", "pcp"}}));
    ASSERT_EQ(flooded["copies"].size(), 2U);
    EXPECT_EQ(flooded["copies"][0]["admitted"]["way"], "queued");
    EXPECT_EQ(flooded["copies"][0]["state"], "sent");
    EXPECT_EQ(flooded["copies"][0]["after_ns"], 3000);
    EXPECT_TRUE(flooded["complete"].get<bool>());
    const Json& known = ended_[0]["frames"][1];
    EXPECT_EQ(known["looked_up"]["destination"], Json({{"port", "p0"}, {"kind", "learned"}}));
}

TEST_F(TraceSessionTest, reports_what_waits_when_the_time_is_over) {
    begin({.frames = 2}, 100ms);
    driven_.receive(0, 0xA0, 0xB0, 5);
    driven_.now += Nanos(500);
    until_ended();
    EXPECT_EQ(ended_[0]["ended"], "time");
    ASSERT_EQ(ended_[0]["frames"].size(), 1U);
    const Json& copy = ended_[0]["frames"][0]["copies"][0];
    EXPECT_EQ(copy["state"], "in_voq");
    EXPECT_EQ(copy["voq_ns"], 500);
    EXPECT_TRUE(copy["egress_ns"].is_null() && copy["length"].is_null());
    EXPECT_FALSE(ended_[0]["frames"][0]["complete"].get<bool>());
    driven_.forward();
}

TEST_F(TraceSessionTest, another_one_ends_it_and_has_a_board_of_its_own) {
    begin({.frames = 1});
    begin({.ports = 0b10, .frames = 1});
    until_ended();
    EXPECT_EQ(ended_[0]["ended"], "superseded");
    turn();
    driven_.receive(0, 0xA0, 0xB0);
    driven_.receive(1, 0xB0, 0xA0);
    driven_.forward();
    until_ended(2);
    EXPECT_EQ(ended_[1]["ended"], "complete");
    EXPECT_EQ(ended_[1]["frames"][0]["port"], "p1");
}

TEST_F(TraceSessionTest, costs_nothing_before_and_after) {
    driven_.receive(0, 0xA0, 0xB0);
    driven_.forward();
    begin({.frames = 1});
    driven_.receive(0, 0xA0, 0xB0);
    driven_.forward();
    until_ended();
    driven_.receive(0, 0xA0, 0xB0);
    driven_.forward();
    turn();
    EXPECT_EQ(ended_.size(), 1U);
    EXPECT_EQ(ended_[0]["frames"].size(), 1U);
}

}  // namespace
}  // namespace sluice::control
