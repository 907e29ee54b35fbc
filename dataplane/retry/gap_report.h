// GapReport: the transmissions that a receiving end misses, as runs, until it has told its peer of
// each `tellings` times: an answer may be lost, and one that comes twice changes nothing.
// Bound: as many runs as an answer has; a gap more, where none of them has been told yet, is joined
// to the newest, and what lies between both goes again in vain.
#pragma once

#include <algorithm>
#include <cstdint>

#include "dataplane/retry/retry_answer.h"

namespace sluice {

class GapReport {
  public:
    static constexpr unsigned tellings = 3;

    // Those from `first` on, `count` of them, none of which was added before.
    void add(uint32_t first, uint32_t count) {
        for (; count > 0; first += step(count), count -= step(count)) add_run(first, step(count));
    }
    // What an answer says of them now.
    RetryRuns tell() {
        RetryRuns runs;
        for (Told& run : told()) {
            runs.add(run.run);
            ++run.times;
        }
        const auto left =
            std::ranges::remove_if(told(), [](const Told& run) { return run.times == tellings; });
        count_ -= left.size();
        return runs;
    }
    void clear() { count_ = 0; }

  private:
    struct Told {
        RetryRun run;
        unsigned times = 0;
    };

    static constexpr uint16_t step(uint32_t count) {
        return static_cast<uint16_t>(std::min<uint32_t>(count, UINT16_MAX));
    }
    [[nodiscard]] std::span<Told> told() { return {runs_.data(), count_}; }
    void add_run(uint32_t first, uint16_t count) {
        Told* const newest = count_ == 0 ? nullptr : &runs_[count_ - 1];
        const bool is_untold = newest != nullptr && newest->times == 0;
        const uint32_t joined = is_untold ? first + count - newest->run.first : 0;
        const bool is_next = is_untold && newest->run.end() == first;
        const bool is_full = count_ == runs_.size();
        if (is_untold && joined <= UINT16_MAX && (is_next || (is_full && runs_[0].times == 0))) {
            newest->run.count = static_cast<uint16_t>(joined);
            return;
        }
        if (is_full) {
            std::ranges::rotate(runs_, runs_.begin() + 1);
            --count_;
        }
        runs_[count_++] = {{first, count}};
    }

    std::array<Told, RetryRuns::most> runs_{};
    std::size_t count_ = 0;
};

}  // namespace sluice
