// TraceBoard: the memory where workers note the paths of traced frames, and where control reads
// these notes.
//
// Each worker has an area of its own for frames that it receives. Control starts a trace, ends it,
// and reads the notes after every worker has released its area, so nothing is copied and no thread
// waits. During the trace control may read how many frames are complete.
// Bound: most_traced_frames frames and most_traced_copies copies a worker, all allocated by the
// constructor, which control calls; one trace at a time.
// Follows VPP's `trace add`, which also counts future frames.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>

#include "dataplane/trace/record.h"
#include "dataplane/types/limits.h"

namespace sluice {

// Returns whether no more notes will be added to these copies.
inline bool are_closed(std::span<const TracedCopy> copies) {
    return std::ranges::all_of(
        copies, [](const TracedCopy& copy) { return copy.closed.load(std::memory_order_acquire); });
}

// The frames that one worker received, and their copies.
class alignas(64) TraceArea {
  public:
    // Called by control while no worker traces.
    void clear() {
        frames_count_.store(0, std::memory_order_relaxed);
        copies_count_.store(0, std::memory_order_relaxed);
        handles_.store(0, std::memory_order_relaxed);
        any_handle_.store(false, std::memory_order_relaxed);
    }

    // --- called by the worker -------------------------------------------------------------------
    // Returns the unpublished record at position `after`. `publish_frames` publishes it.
    [[nodiscard]] TracedFrame& place(uint32_t after) {
        assert(frames_count() + after < frames_.size());
        return frames_[frames_count() + after];
    }
    void publish_frames(uint32_t count) {
        assert(frames_count() + count <= frames_.size());
        frames_count_.store(frames_count() + count, std::memory_order_release);
    }
    // Returns false if there is no room.
    bool add_copy(void* handle, const CopyNotes& notes) {
        const uint32_t at = copies_count();
        if (at == most_traced_copies) return false;
        copies_[at].notes = notes;
        copies_[at].handle.store(handle, std::memory_order_relaxed);
        const bool ends_here = notes.way == TraceWay::refused || notes.way == TraceWay::trimmed;
        copies_[at].closed.store(ends_here, std::memory_order_relaxed);
        handles_.store(handles_.load(std::memory_order_relaxed) | bit_of(handle),
                       std::memory_order_relaxed);
        copies_count_.store(at + 1, std::memory_order_release);
        return true;
    }

    // --- called by any worker -------------------------------------------------------------------
    // Records that a traced frame has moved to another buffer.
    void rename(TracedCopy& copy, void* handle) {
        copy.handle.store(handle, std::memory_order_relaxed);
        any_handle_.store(true, std::memory_order_relaxed);
    }
    // Returns the copy with this buffer and one of `outputs`. Null: the frame is not traced.
    [[nodiscard]] TracedCopy* find(const void* handle, PortSet outputs) {
        const bool may_be = (handles_.load(std::memory_order_relaxed) & bit_of(handle)) != 0;
        if (!may_be && !any_handle_.load(std::memory_order_relaxed)) return nullptr;
        for (TracedCopy& copy : std::span(copies_).first(copies_count())) {
            if (copy.handle.load(std::memory_order_relaxed) == handle &&
                (only(copy.notes.output) & outputs) != 0 &&
                !copy.closed.load(std::memory_order_relaxed)) {
                return &copy;
            }
        }
        return nullptr;
    }

    // --- called by control too ------------------------------------------------------------------
    [[nodiscard]] uint32_t frames_count() const {
        return frames_count_.load(std::memory_order_acquire);
    }
    [[nodiscard]] uint32_t copies_count() const {
        return copies_count_.load(std::memory_order_acquire);
    }
    [[nodiscard]] const TracedFrame& frame(uint32_t number) const {
        assert(number < frames_count());
        return frames_[number];
    }
    [[nodiscard]] std::span<const TracedCopy> copies_of(const TracedFrame& frame) const {
        return std::span(copies_).subspan(frame.first_copy, frame.copies);
    }

  private:
    static uint64_t bit_of(const void* handle) {
        constexpr uint64_t odd = 0x9E37'79B9'7F4A'7C15;  // 2^64 over the golden ratio
        return uint64_t{1} << (reinterpret_cast<uintptr_t>(handle) * odd >> 58);
    }

    std::atomic<uint32_t> frames_count_{0};
    std::atomic<uint32_t> copies_count_{0};
    // The set of the copies' buffers: one of 64 bits for each buffer, chosen by its hash.
    std::atomic<uint64_t> handles_{0};
    std::atomic<bool> any_handle_{false};  // a copy has moved to a buffer without a bit
    std::array<TracedFrame, most_traced_frames> frames_;
    std::array<TracedCopy, most_traced_copies> copies_;
};

class TraceBoard {
  public:
    explicit TraceBoard(uint8_t workers)
        : workers_(workers),
          areas_(std::make_unique<TraceArea[]>(workers)),
          seen_(std::make_unique<std::atomic<uint32_t>[]>(workers)) {}

    // --- called by control ----------------------------------------------------------------------
    // Returns whether every worker has released its area: then the notes may be read, and a new
    // trace may begin.
    [[nodiscard]] bool is_released() const {
        const uint32_t order = order_.load(std::memory_order_relaxed);
        return !is_on(order) && is_seen_by_all(order);
    }
    void begin(const TraceFilter& filter) {
        filter_ = filter;
        for (TraceArea& area : areas()) area.clear();
        order_.store(order_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    void end() {
        order_.store(order_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    [[nodiscard]] std::span<const TraceArea> areas() const { return {areas_.get(), workers_}; }

    // --- called by workers ----------------------------------------------------------------------
    [[nodiscard]] uint32_t order() const { return order_.load(std::memory_order_acquire); }
    static bool is_on(uint32_t order) { return order % 2 == 1; }
    // Records that the worker has adopted the order.
    void see(WorkerIndex worker, uint32_t order) {
        seen_[worker].store(order, std::memory_order_release);
    }
    [[nodiscard]] bool is_seen_by_all(uint32_t order) const {
        for (WorkerIndex worker = 0; worker < workers_; ++worker) {
            if (seen_[worker].load(std::memory_order_acquire) != order) return false;
        }
        return true;
    }
    [[nodiscard]] const TraceFilter& filter() const { return filter_; }
    [[nodiscard]] std::span<TraceArea> areas() { return {areas_.get(), workers_}; }

  private:
    const uint8_t workers_;
    TraceFilter filter_;  // written only while no worker traces
    std::unique_ptr<TraceArea[]> areas_;
    std::atomic<uint32_t> order_{0};  // odd: a trace runs
    std::unique_ptr<std::atomic<uint32_t>[]> seen_;
};

}  // namespace sluice
