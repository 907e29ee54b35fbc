// Traced: starts a trace of a rig's frames, ends it, and reads it as control does.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <utility>
#include <vector>

#include "dataplane/trace/trace_board.h"
#include "tests/support/rig.h"

namespace sluice::test {

class Traced {
  public:
    struct One {
        const TracedFrame& frame;
        std::span<const TracedCopy> copies;

        [[nodiscard]] const CopyNotes& copy(std::size_t n = 0) const { return copies[n].notes; }
        [[nodiscard]] bool closed(std::size_t n = 0) const { return copies[n].closed; }
    };

    explicit Traced(Rig& rig, const TraceFilter& filter = {.frames = most_traced_frames})
        : rig_(rig), board_(rig.settings.workers) {
        rig.dataplane.trace_on(board_);
        begin(filter);
    }
    void begin(const TraceFilter& filter) {
        board_.begin(filter);
        rig_.housekeep();
        rig_.housekeep();  // each worker has now seen the order of all other workers
    }
    // Ends the trace, and returns its frames.
    std::vector<One> frames() {
        board_.end();
        rig_.housekeep();
        EXPECT_TRUE(board_.is_released());
        std::vector<One> all;
        for_each([&](const TraceArea& area, const TracedFrame& frame) {
            all.push_back({frame, area.copies_of(frame)});
        });
        return all;
    }
    [[nodiscard]] uint32_t complete() const {
        uint32_t count = 0;
        for_each([&](const TraceArea& area, const TracedFrame& frame) {
            if (are_closed(area.copies_of(frame))) ++count;
        });
        return count;
    }

  private:
    template <class Visit>
    void for_each(Visit visit) const {
        for (const TraceArea& area : board_.areas()) {
            for (uint32_t n = 0; n < area.frames_count(); ++n) visit(area, area.frame(n));
        }
    }

    Rig& rig_;
    TraceBoard board_;
};

}  // namespace sluice::test
