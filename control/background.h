// Background: runs long work, such as reading a large file, on a thread of its own, one job after
// the other, so that control keeps serving its clients.
//
// `work` may not touch shared state; `done` runs in the loop's thread, after `run` has returned. If
// no thread can be made, `work` runs in the loop's thread.
// Bound: one thread while there is work; the callers limit the number of waiting jobs. The
// destructor waits for the job under way, and calls no `done`.
#pragma once

#include <deque>
#include <functional>
#include <thread>

#include "control/loop.h"

namespace sluice::control {

class Background {
  public:
    explicit Background(Loop& loop);
    ~Background();
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    void run(std::function<void()> work, std::function<void()> done);

  private:
    struct Job {
        std::function<void()> work;
        std::function<void()> done;
    };

    void start_next();
    void finish();

    std::deque<Job> jobs_;  // the first job is under way
    std::thread thread_;
    int over_;  // eventfd: the first job has finished
    Loop::SourcePointer source_;
};

}  // namespace sluice::control
