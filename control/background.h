// Background: work that takes long, such as to read a large file, on a thread of its own, one after
// the other, so that control serves everybody else in between.
//
// `work` touches nothing that others use; `done` runs in the loop's thread, and not before `run`
// has returned. Where no thread can be had `work` runs in the loop's thread instead.
// Bound: a thread while there is work; how much waits is up to the callers. The destructor waits
// for what is under way, and calls no `done`.
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

    std::deque<Job> jobs_;  // the first is under way
    std::thread thread_;
    int over_;  // an eventfd: the first is over
    Loop::SourcePointer source_;
};

}  // namespace sluice::control
