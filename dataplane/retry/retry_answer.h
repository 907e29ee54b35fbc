// RetryAnswer: the ACK or NACK that the receiving end of a link with retry sends to the sending
// end. It acknowledges all frames up to `sequence`. It requests frames that were lost, or that
// found no room, by the orders of their transmissions (RetryOrder): as runs; or, if the receiver
// keeps no frames after a gap, all from `order` on (go-back-N).
// Frames, answers and requests to begin carry the number of their session, which is new each time
// that the sender begins. Frames, answers and requests of another session are late, and are
// ignored.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/retry/retry_sequence.h"

namespace sluice {

// Consecutive transmissions.
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
    // Whether the answer is a NACK. The runs of an ACK repeat those of an earlier NACK.
    bool again = false;
    RetrySequence sequence;
    uint32_t order = 0;  // a NACK without runs requests all transmissions from this order on
    RetryRuns runs;

    friend bool operator==(const RetryAnswer&, const RetryAnswer&) = default;
};

}  // namespace sluice
