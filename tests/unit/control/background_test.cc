#include "control/background.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace sluice::control {
namespace {

using namespace std::chrono_literals;

TEST(Background, WorksElsewhereAndCallsBackInTheLoop) {
    Loop loop;
    Background background(loop);
    std::thread::id worked;
    std::thread::id notified;
    background.run([&] { worked = std::this_thread::get_id(); },
                   [&] { notified = std::this_thread::get_id(); });
    EXPECT_EQ(notified, std::thread::id());
    while (notified == std::thread::id()) loop.run_once(1ms);
    EXPECT_EQ(notified, std::this_thread::get_id());
    EXPECT_NE(worked, std::thread::id());
    EXPECT_NE(worked, notified);
}

TEST(Background, DoesOneAfterTheOther) {
    Loop loop;
    Background background(loop);
    std::string worked;  // by one thread at a time
    std::string notified;
    for (const char name : {'a', 'b', 'c'}) {
        background.run([&worked, name] { worked += name; },
                       [&notified, name] { notified += name; });
    }
    while (notified.size() < 3) loop.run_once(1ms);
    EXPECT_EQ(notified, "abc");
    EXPECT_EQ(worked, "abc");
}

TEST(Background, TheListenerMayAskForMore) {
    Loop loop;
    Background background(loop);
    int rounds = 0;
    std::function<void()> again = [&] {
        if (++rounds < 3) background.run([] {}, again);
    };
    background.run([] {}, again);
    while (rounds < 3) loop.run_once(1ms);
}

TEST(Background, WaitsForWhatIsUnderWayWhenItGoes) {
    Loop loop;
    bool worked = false;
    bool notified = false;
    {
        Background background(loop);
        background.run([&] { worked = true; }, [&] { notified = true; });
        background.run([] {}, [&] { notified = true; });
    }
    EXPECT_TRUE(worked);
    loop.run_once(1ms);
    EXPECT_FALSE(notified);
}

}  // namespace
}  // namespace sluice::control
