#include "control/runtime/deadline.h"

#include <system_error>
#include <utility>

namespace sluice::control {

Deadline::Deadline(std::chrono::milliseconds limit, Passed passed) : passed_(std::move(passed)) {
    const auto ends = std::chrono::steady_clock::now() + limit;
    try {
        thread_ = std::thread([this, ends] { wait(ends); });
    } catch (const std::system_error&) {
        return;
    }
}

Deadline::~Deadline() {
    end();
    if (thread_.joinable()) thread_.join();
}

void Deadline::at(std::string step) {
    const auto alone = hold();
    step_ = std::move(step);
}

void Deadline::end() {
    {
        const auto alone = hold();
        over_ = true;
    }
    ended_.notify_one();
}

void Deadline::wait(std::chrono::steady_clock::time_point limit) {
    auto alone = hold();
    if (!ended_.wait_until(alone, limit, [this] { return over_; })) passed_(step_);
}

}  // namespace sluice::control
