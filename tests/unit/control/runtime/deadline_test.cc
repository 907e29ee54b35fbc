#include "control/runtime/deadline.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

namespace sluice::control {
namespace {

using namespace std::chrono_literals;

TEST(Deadline, SaysWhatIsUnderWayOnceTheTimeHasPassed) {
    std::promise<std::string> said;
    Deadline deadline(20ms, [&](const std::string& under_way) { said.set_value(under_way); });
    deadline.at("port p0");
    deadline.at("port p1");
    EXPECT_EQ(said.get_future().get(), "port p1");
}

TEST(Deadline, SaysNothingOfWhatIsOverInTime) {
    std::atomic<bool> passed = false;
    Deadline deadline(50ms, [&](const std::string&) { passed = true; });
    deadline.at("port p0");
    deadline.end();
    std::this_thread::sleep_for(100ms);
    EXPECT_FALSE(passed);
}

TEST(Deadline, DoesNotPassWhileItIsHeld) {
    std::promise<void> passed;
    Deadline deadline(20ms, [&](const std::string&) { passed.set_value(); });
    const auto is_over = passed.get_future();
    {
        const auto in_time = deadline.hold();
        EXPECT_EQ(is_over.wait_for(100ms), std::future_status::timeout);
    }
    is_over.wait();
}

}  // namespace
}  // namespace sluice::control
