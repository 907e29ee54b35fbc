// Run: one generator, polled by one thread from the start to the last frame.
//
// The run sends for `duration`, or until every sender has sent its frames or the caller stops the
// sending; then it only receives, until `end`. Throughput counts frames that arrived while the run
// sent, so waiting for late frames does not lower it. The rate may change once during the run.
// After some empty polls the thread yields its CPU; on a CPU shared with the tested device it
// yields after every poll, as otherwise neither makes progress. When it only receives, and no frame
// has arrived for a millisecond, it sleeps between polls.
// Bound: no lock; allocation only at the first frame of each flow. Not here: creation of the thread
// (an lcore of pmd::Eal).
#pragma once

#include <sched.h>

#include <atomic>
#include <optional>

#include "pmd_glue/clock.h"
#include "tools/gen/benchmarks/trial.h"
#include "tools/gen/generator.h"

namespace sluice::gen {

class Run {
  public:
    enum class Stage : uint8_t { sending, draining, over };

    Run(Generator& generator, const pmd::Clock& clock, Nanos duration, bool yields_always,
        std::optional<RateChange> change = {})
        : generator_(generator),
          clock_(clock),
          duration_(duration),
          yields_always_(yields_always),
          change_(change),
          start_(clock.now()) {}

    // Runs until `end` is called. This is the function of the thread.
    void poll_until_over();

    // Any thread may call these.
    void stop_sending();
    void end() { stage_.store(Stage::over); }
    [[nodiscard]] Stage stage() const { return stage_.load(); }

    // The time for which the run sent, and the number of frames that had arrived at the end of that
    // time. Valid once the run only drains.
    [[nodiscard]] Nanos sent_for() const { return stopped_ - start_; }
    [[nodiscard]] uint64_t delivered_meanwhile() const { return delivered_meanwhile_; }
    // Returns the time from the change of rate until a frame last arrived without its predecessor.
    [[nodiscard]] Nanos lossy_after() const;
    // Returns the longest time between two polls of the sending stage. If it is long, another
    // thread had the core.
    [[nodiscard]] Nanos longest_gap() const { return longest_gap_; }

  private:
    [[nodiscard]] bool time_to_stop(Nanos now) const;
    void change_rate(Nanos now);
    void stop(Nanos now);

    Generator& generator_;
    const pmd::Clock& clock_;
    const Nanos duration_;
    const bool yields_always_;
    std::optional<RateChange> change_;  // change that has not been made yet
    std::optional<Nanos> changed_;
    const Nanos start_;
    std::atomic<bool> stop_asked_{false};
    std::atomic<Stage> stage_{Stage::sending};
    Nanos stopped_;  // written before stage_ becomes draining
    uint64_t delivered_meanwhile_ = 0;
    Nanos longest_gap_;
};

}  // namespace sluice::gen
