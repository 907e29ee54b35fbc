// ResequenceBuffer: frames that a link with retry has received and that may not enter the switch
// yet: those behind a gap (`keep`), by number, and, once the gap is filled, those that wait for the
// switch to have room for their priority (`wait`), which enter in the order in which they came.
//
// A priority that has no room holds no other. What is of none, an update of credit, counts all that
// came before it: it goes past nothing, and nothing goes past it.
// They are the caller's buffers, not copies, so a short frame counts as `least` octets, of which
// the pool of buffers is sized (`most_frames`). Whoever removes frames frees their buffers:
// `take_unwanted` has those whose session is over.
// Bound: O(1) a call, but for `forget`, O(window); its memory is taken by the constructor.
// Not done here: which number is the next (retry_receiver.h), and which priority has room.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dataplane/retry/replay_queue.h"
#include "dataplane/retry/retry_sequence.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

class ResequenceBuffer {
  public:
    static constexpr Bytes least{256};
    static constexpr std::size_t most_frames(Bytes size) {
        return static_cast<std::size_t>(size.count() / least.count());
    }

    // 0: it keeps none.
    explicit ResequenceBuffer(Bytes size)
        : size_(size), nodes_(most_frames(size)), by_number_(window_of(size), none) {
        for (uint32_t n = 0; n < nodes_.size(); ++n) append(free_, n);
    }

    // A frame's number may be ahead of the expected one by fewer than so many.
    [[nodiscard]] uint32_t window() const { return static_cast<uint32_t>(by_number_.size()); }
    [[nodiscard]] bool has_room(std::size_t length) const {
        return used_ + charge(length) <= size_;
    }
    // Keeps a frame behind a gap. There is room for it, and its number is not kept yet.
    void keep(RetrySequence number, const Frame& frame, uint8_t traffic_class) {
        uint32_t& kept = by_number_[place(number)];
        assert(kept == none);
        kept = fill(frame, traffic_class);
        ++kept_;
    }
    // The frame's gap is filled: it waits behind other frames of its traffic class.
    Bytes wait(RetrySequence number) {
        uint32_t& kept = by_number_[place(number)];
        assert(kept != none);
        const uint32_t node = kept;
        kept = none;
        assert(kept_ > 0);
        --kept_;
        add_to_class(node);
        return nodes_[node].frame.size();
    }
    // The next frame in order, while others of its traffic class wait. There is room for it.
    void wait(const Frame& frame, uint8_t traffic_class) {
        add_to_class(fill(frame, traffic_class));
    }
    // True if a frame of that traffic class would overtake others.
    [[nodiscard]] bool must_wait(uint8_t traffic_class) const {
        if (traffic_class == ReplayQueue::never_paused) return waiting_ > 0;
        return has_waiting(traffic_class) || has_waiting(ReplayQueue::never_paused);
    }
    [[nodiscard]] bool has_waiting() const { return waiting_ > 0; }
    // Returns the next frame whose traffic class is not `held`.
    std::optional<Frame> take(ReplayQueue::Classes held) {
        if (waiting_ == 0) return std::nullopt;
        uint64_t oldest = UINT64_MAX;  // of all
        uint64_t next = UINT64_MAX;    // of those that are not held
        uint8_t from = 0;
        for (uint8_t traffic_class = 0; traffic_class < ReplayQueue::classes; ++traffic_class) {
            if (!has_waiting(traffic_class)) continue;
            const uint64_t turn = nodes_[classes_[traffic_class].first].turn;
            oldest = std::min(oldest, turn);
            if ((held & 1U << traffic_class) != 0 || turn > next) continue;
            next = turn;
            from = traffic_class;
        }
        const bool may_go = from != ReplayQueue::never_paused || next == oldest;
        if (next == UINT64_MAX || !may_go) return std::nullopt;
        assert(waiting_ > 0);
        --waiting_;
        return empty(remove_first(classes_[from]));
    }
    // The session is over: frames behind a gap are not wanted any more.
    void forget() {
        if (kept_ == 0) return;
        for (uint32_t& kept : by_number_) {
            if (kept != none) append(unwanted_, kept);
            kept = none;
        }
        kept_ = 0;
    }
    // As `forget`, for frames that wait as well.
    void forget_all() {
        forget();
        for (List& traffic_class : classes_) {
            while (traffic_class.first != none) append(unwanted_, remove_first(traffic_class));
        }
        waiting_ = 0;
    }
    // Returns a frame whose buffer the caller frees.
    std::optional<Frame> take_unwanted() {
        if (unwanted_.first == none) return std::nullopt;
        return empty(remove_first(unwanted_));
    }

    [[nodiscard]] std::size_t waiting() const { return waiting_; }
    [[nodiscard]] Bytes used() const { return used_; }
    [[nodiscard]] Bytes most_used() const { return most_used_; }
    void clear_watermark() { most_used_ = used_; }

  private:
    [[nodiscard]] bool has_waiting(uint8_t traffic_class) const {
        return classes_[traffic_class].first != none;
    }
    static constexpr uint32_t none = UINT32_MAX;
    struct Node {
        Frame frame;
        uint64_t turn;
        uint32_t next;
        uint8_t traffic_class;
    };
    struct List {
        uint32_t first = none;
        uint32_t last = none;
    };

    // More numbers than a replay buffer as long as this one holds of the shortest frames.
    static std::size_t window_of(Bytes size) {
        if (most_frames(size) == 0) return 0;
        const std::size_t shortest = static_cast<std::size_t>(size.count() / 32);
        return std::min<std::size_t>(std::bit_floor(shortest), RetrySequence::most_waiting / 2);
    }
    static Bytes charge(std::size_t length) {
        return std::max(Bytes(static_cast<int64_t>(length)), least);
    }
    [[nodiscard]] std::size_t place(RetrySequence number) const {
        return number.number() & (by_number_.size() - 1);
    }
    void append(List& list, uint32_t node) {
        nodes_[node].next = none;
        (list.first == none ? list.first : nodes_[list.last].next) = node;
        list.last = node;
    }
    uint32_t remove_first(List& list) {
        assert(list.first != none);
        const uint32_t node = list.first;
        list.first = nodes_[node].next;
        return node;
    }
    uint32_t fill(const Frame& frame, uint8_t traffic_class) {
        assert(has_room(frame.length));
        const uint32_t node = remove_first(free_);
        nodes_[node].frame = frame;
        nodes_[node].traffic_class = traffic_class;
        used_ += charge(frame.length);
        most_used_ = std::max(most_used_, used_);
        return node;
    }
    Frame empty(uint32_t node) {
        used_ -= charge(nodes_[node].frame.length);
        assert(used_ >= Bytes(0));
        append(free_, node);
        return nodes_[node].frame;
    }
    void add_to_class(uint32_t node) {
        nodes_[node].turn = turn_++;
        append(classes_[nodes_[node].traffic_class], node);
        ++waiting_;
    }

    const Bytes size_;
    std::vector<Node> nodes_;
    std::vector<uint32_t> by_number_;  // modulo its size
    List free_;
    List unwanted_;
    std::array<List, ReplayQueue::classes> classes_;
    std::size_t kept_ = 0;
    std::size_t waiting_ = 0;
    uint64_t turn_ = 0;  // of the next that waits
    Bytes used_;
    Bytes most_used_;
};

// That a port may hold.
inline std::size_t frames_behind_gaps(const RetrySettings& retry) {
    return retry.is_on ? ResequenceBuffer::most_frames(retry.resequence) : 0;
}

}  // namespace sluice
