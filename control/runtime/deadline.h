// Deadline: ends the process if the step under way does not end in time.
//
// For the last steps of a program, which call into drivers and the kernel: a thread that hangs
// there cannot be stopped. A thread of its own waits for the time to pass and then calls `passed`
// with the step under way; `passed` reports it, removes what would outlive the process, ends the
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

    // Sets the step that is under way from now on.
    void at(std::string step);
    // All that might hang is over: `passed` is not called any more.
    void end();
    // While the lock is held `passed` is not called; once `passed` is called, `hold` does not
    // return. For changes to data that `passed` reads.
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
