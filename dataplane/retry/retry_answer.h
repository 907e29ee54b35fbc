// RetryAnswer: what the receiving end of a link with retry tells the sending one. Up to `sequence`
// everything came, in order. What did not come, or could not be kept, is named by its transmissions
// (RetryOrder), which are to go again: in runs; or, where the receiver keeps nothing behind a gap,
// all from `order` on (go-back-N).
// Frames, answers and the question to begin name the session that they are of, which chance gives
// the sender each time that it begins: what is of another, and came late, is of nobody.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/retry/retry_sequence.h"

namespace sluice {

// Transmissions that follow each other.
struct RetryRun {
    uint32_t first = 0;
    uint16_t count = 0;

    [[nodiscard]] constexpr uint32_t end() const { return first + count; }
    friend bool operator==(const RetryRun&, const RetryRun&) = default;
};

class RetryRuns {
  public:
    static constexpr std::size_t most = 32;

    RetryRuns() = default;
    RetryRuns(std::initializer_list<RetryRun> runs) {
        for (const RetryRun& run : runs) add(run);
    }
    void add(const RetryRun& run) {
        assert(count_ < most);
        runs_[count_++] = run;
    }
    [[nodiscard]] std::span<const RetryRun> all() const { return {runs_.data(), count_}; }

    friend bool operator==(const RetryRuns& one, const RetryRuns& other) {
        return std::ranges::equal(one.all(), other.all());
    }

  private:
    std::array<RetryRun, most> runs_{};
    std::size_t count_ = 0;
};

struct RetryAnswer {
    uint32_t session = 0;
    bool again = false;  // a NACK, or else an ACK, whose runs a NACK has named before
    RetrySequence sequence;
    uint32_t order = 0;  // of a NACK without runs: from which on all is to go again
    RetryRuns runs;

    friend bool operator==(const RetryAnswer&, const RetryAnswer&) = default;
};

}  // namespace sluice
