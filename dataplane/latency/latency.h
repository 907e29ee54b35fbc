// Latency: measures how long one frame in N is in the switch: from the beginning of the poll that
// received it to the end of the poll in which the device accepted it, which is when the next poll
// begins. So a measured time is never too short, and too long by at most these two polls. The time
// in the rings of devices is not included.
//
// Only frames with one output are timed; a flooded frame would be timed once for each copy. A timed
// frame has a mark (frame.h), and its arrival time is kept in the `ArrivalTimes` of the worker that
// received it, by the address of its buffer. The worker that sends the frame counts it. A frame
// that is sent in another buffer than it was received in, because its tag is edited while a mirror
// uses the first one, is not timed. Its arrival time then remains, so of several times for the same
// buffer the newest counts.
// Bound: one OR for a frame that is sent. If timing is on, also one sampler step a burst, and for a
// timed frame some hundred cycles and one cache line of each worker. At most `most_a_poll` timed
// frames are counted a poll.
// Not done here: adding up workers and computing percentiles (control/show/latency.cc).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "dataplane/latency/arrival_times.h"
#include "dataplane/latency/wait_histogram.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/sampler.h"
#include "dataplane/types/units.h"

namespace sluice {

class Latency {
  public:
    static constexpr std::size_t most_a_poll = 256;
    using OfWorkers = std::span<Latency* const>;

    // `all`: the Latency of each worker, including this one; read when frames are sent.
    Latency(uint64_t seed, OfWorkers all) : all_(all), sampler_(seed) {}

    void configure(uint32_t one_in) { sampler_.configure(one_in); }
    [[nodiscard]] bool is_on() const { return sampler_.is_on(); }

    // --- called on reception, if `is_on` ---------------------------------------------------------
    // Marks the frames of the burst that are timed. `outputs`: the outputs of each frame; empty:
    // the frame is dropped.
    void choose(std::span<Frame> burst, std::span<const PortSet> outputs, Nanos now) {
        assert(burst.size() <= outputs.size());
        sampler_.pick(burst.size(), [&](std::size_t at) {
            if (!std::has_single_bit(outputs[at]) || !arrivals_.note(burst[at].handle, now)) return;
            burst[at].latency_mark = timed;
        });
    }
    // Forgets a frame that was dropped, at any point of its path.
    void forget(const Frame& frame) {
        if (frame.latency_mark == timed) [[unlikely]]
            take(frame.handle);
    }

    // --- called when frames are sent ------------------------------------------------------------
    // Notes that the device accepted these frames, at least one of which has a mark.
    [[gnu::noinline]] void left(std::span<const Frame> frames) {
        for (const Frame& frame : frames) {
            if (frame.latency_mark != timed) continue;
            const std::optional<Nanos> since = take(frame.handle);
            if (!since || leaving_count_ == leaving_.size()) {
                lost_.add(1);
            } else {
                leaving_[leaving_count_++] = {frame.priority, *since};
            }
        }
    }
    // Counts the frames that were sent in the previous poll. To be called at the end of each poll.
    void end_poll(Nanos now) {
        if (leaving_count_ != 0) count(now);
    }

    void clear_watermark() { waits_.clear_watermark(); }
    // The longest time that was counted since the last call.
    struct Wait {
        Nanos wait{0};
        Priority priority = 0;
    };
    [[nodiscard]] Wait take_longest() { return std::exchange(longest_, Wait{}); }
    // May be called by any thread.
    [[nodiscard]] const WaitHistogram& waits() const { return waits_; }
    // Returns the number of frames that were picked but not counted: no slot was free, or their
    // arrival time was not found.
    [[nodiscard]] uint64_t lost() const { return arrivals_.lost() + lost_.value(); }

  private:
    static constexpr uint8_t timed = 1;
    struct Leaving {
        Priority priority;
        Nanos since;
    };

    // Returns the latest arrival of the buffer, whichever worker received it.
    std::optional<Nanos> take(const void* buffer) {
        std::optional<Nanos> since;
        for (Latency* const worker : all_) since = std::max(since, worker->arrivals_.take(buffer));
        return since;
    }
    [[gnu::noinline]] void count(Nanos now) {
        assert(before_ <= leaving_count_ && leaving_count_ <= leaving_.size());
        for (const Leaving& left : std::span(leaving_).first(before_)) {
            waits_.add(left.priority, now - left.since);
            if (now - left.since > longest_.wait) longest_ = {now - left.since, left.priority};
        }
        std::copy(leaving_.begin() + static_cast<std::ptrdiff_t>(before_),
                  leaving_.begin() + static_cast<std::ptrdiff_t>(leaving_count_), leaving_.begin());
        leaving_count_ -= before_;
        before_ = leaving_count_;
    }

    const OfWorkers all_;
    Sampler sampler_;
    std::size_t leaving_count_ = 0;
    std::size_t before_ = 0;  // frames of `leaving_` that were sent in polls before this one
    std::array<Leaving, most_a_poll> leaving_;
    WaitHistogram waits_;
    Wait longest_;
    Counter lost_;
    ArrivalTimes arrivals_;
};

}  // namespace sluice
