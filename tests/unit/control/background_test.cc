#include "control/background.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace sluice::control {
namespace {

using namespace std::chrono_literals;

TEST(Background, WorksElsewhereAndTellsInTheLoop) {
    Loop loop;
    Background background(loop);
    std::thread::id worked;
    std::thread::id told;
    background.run([&] { worked = std::this_thread::get_id(); },
                   [&] { told = std::this_thread::get_id(); });
    EXPECT_EQ(told, std::thread::id());
    while (told == std::thread::id()) loop.run_once(1ms);
    EXPECT_EQ(told, std::this_thread::get_id());
    EXPECT_NE(worked, std::thread::id());
    EXPECT_NE(worked, told);
}

TEST(Background, DoesOneAfterTheOther) {
    Loop loop;
    Background background(loop);
    std::string worked;  // by one thread at a time
    std::string told;
    for (const char name : {'a', 'b', 'c'}) {
        background.run([&worked, name] { worked += name; }, [&told, name] { told += name; });
    }
    while (told.size() < 3) loop.run_once(1ms);
    EXPECT_EQ(told, "abc");
    EXPECT_EQ(worked, "abc");
}

TEST(Background, WhoIsToldMayAskForMore) {
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
    bool told = false;
    {
        Background background(loop);
        background.run([&] { worked = true; }, [&] { told = true; });
        background.run([] {}, [&] { told = true; });
    }
    EXPECT_TRUE(worked);
    loop.run_once(1ms);
    EXPECT_FALSE(told);
}

}  // namespace
}  // namespace sluice::control
