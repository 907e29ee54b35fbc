// Deadline: ends the process if its last steps do not end in time.
//
// The last steps of a program call into drivers and the kernel, and a thread that hangs there
// cannot be stopped. A thread of the deadline waits for the time to pass and then calls `passed`
// with the current step; `passed` reports it, removes what would outlive the process, ends the
// process, and does not return. Bound: `limit` for all steps together, plus the time under `hold`.
// If no thread can be made there is no deadline.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace sluice::control {

class Deadline {
  public:
    using Passed = std::function<void(const std::string& under_way)>;

    Deadline(std::chrono::milliseconds limit, Passed passed);
    ~Deadline();
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

    // Sets the current step.
    void at(std::string step);
    // Ends the deadline, because no step that might hang is left: `passed` is not called any more.
    void end();
    // Returns a lock for changes to data that `passed` reads. While the lock is held `passed` is
    // not called; once `passed` is called, `hold` does not return.
    [[nodiscard]] std::unique_lock<std::mutex> hold() { return std::unique_lock(mutex_); }

  private:
    void wait(std::chrono::steady_clock::time_point limit);

    const Passed passed_;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::string step_;
    bool over_ = false;
    std::thread thread_;
};

}  // namespace sluice::control
