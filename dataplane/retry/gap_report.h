// GapReport: holds the transmissions that a receiving end misses, as runs, until it has reported
// each run `tellings` times to its peer. An answer may be lost; a repeated answer does no harm.
// Bound: as many runs as an answer has. When all are in use, a new run is merged with the newest
// run if the newest was not reported yet; the frames between the two are then resent needlessly.
// Otherwise the new run replaces the oldest run if the oldest was reported. Otherwise the new run
// is ignored, and the sender's replay timer recovers its frames.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/retry/retry_answer.h"
#include "dataplane/types/units.h"

namespace sluice {

class GapReport {
  public:
    // Each run is reported `tellings` times, at least `spacing` apart, so that one burst of loss
    // does not take all of the reports.
    GapReport(unsigned tellings, Nanos spacing) : tellings_(tellings), spacing_(spacing) {}

    // Adds `count` transmissions, beginning with `first`.
    void add(uint32_t first, uint32_t count) {
        while (count > 0) {
            const auto step = static_cast<uint16_t>(std::min<uint32_t>(count, UINT16_MAX));
            add_run({first, step});
            first += step;
            count -= step;
        }
    }
    // Returns the runs that an answer sent at `now` reports, and counts the report.
    RetryRuns tell(Nanos now) {
        RetryRuns runs;
        for (Told& told : told()) {
            if (told.times > 0 && now - told.at < spacing_) continue;
            runs.add(told.run);
            told.at = now;
            ++told.times;
        }
        const auto done = std::ranges::remove_if(
            told(), [this](const Told& told) { return told.times >= tellings_; });
        count_ -= done.size();
        return runs;
    }
    void clear() { count_ = 0; }
    [[nodiscard]] bool is_empty() const { return count_ == 0; }

  private:
    struct Told {
        RetryRun run;
        unsigned times = 0;
        Nanos at;  // time of the last report
    };

    [[nodiscard]] std::span<Told> told() { return {runs_.data(), count_}; }
    void add_run(RetryRun run) {
        const bool is_full = count_ == runs_.size();
        if (count_ > 0 && runs_[count_ - 1].times == 0) {
            RetryRun& newest = runs_[count_ - 1].run;
            const uint32_t behind = run.first - newest.first;
            const uint32_t joined = std::max<uint32_t>(behind + run.count, newest.count);
            const bool is_behind = !RetryOrder::is_before(run.first, newest.first);
            if (is_behind && joined <= UINT16_MAX && (behind <= newest.count || is_full)) {
                newest.count = static_cast<uint16_t>(joined);
                return;
            }
        }
        if (is_full) {
            if (runs_[0].times == 0) return;
            std::ranges::rotate(runs_, runs_.begin() + 1);
            --count_;
        }
        runs_[count_++] = {.run = run, .times = 0, .at = {}};
    }

    const unsigned tellings_;
    const Nanos spacing_;
    std::array<Told, RetryRuns::most> runs_{};
    std::size_t count_ = 0;
};

}  // namespace sluice
