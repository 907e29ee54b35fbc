// ReplayBuffer: holds copies of the frames that a link with retry may have to resend, in the order
// of their numbers, and the priority of each.
//
// It is a ring of octets. A frame is contiguous: one that does not fit before the ring's end is
// written at its start. Frames are copied, since the original buffer may be held by a device,
// shared with another output, or owned by the peer of a ring port.
// Bound: O(1) a call; the constructor allocates all memory. Not here: numbering, and when frames
// are resent (port_retry.h).
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

class ReplayBuffer {
  public:
    // `shortest`: length of the shortest frame, which bounds the number of frames.
    ReplayBuffer(Bytes size, Bytes shortest)
        : size_(static_cast<std::size_t>(size.count())),
          most_(size_ / static_cast<std::size_t>(shortest.count())),
          octets_(std::make_unique<uint8_t[]>(size_)),
          entries_(std::make_unique<Entry[]>(most_)) {
        assert(most_ > 0);
    }

    // Returns the octets for a next frame of `length`; empty if there is no room.
    [[nodiscard]] std::span<uint8_t> room(std::size_t length) {
        const std::size_t at = place(length);
        return at == nowhere ? std::span<uint8_t>() : std::span(&octets_[at], length);
    }

    [[nodiscard]] bool has_room(std::size_t length) const { return place(length) != nowhere; }
    // Adds the frame written to `room(length)`. `priority`: the frame's priority, or empty.
    void keep(std::size_t length, PrioritySet priority) {
        const std::size_t at = place(length);
        assert(at != nowhere);
        entries_[(first_ + count_) % most_] = {static_cast<uint32_t>(at),
                                               static_cast<uint32_t>(length), priority};
        ++count_;
        end_ = at + length;
        used_ += Bytes(static_cast<int64_t>(length));
        assert(count_ <= most_ && end_ <= size_ && used_ <= size());
        most_used_ = std::max(most_used_, used_);
    }
    // Removes the newest `frames` frames.
    void take_back(std::size_t frames) {
        assert(frames <= count_);
        for (; frames > 0; --frames) {
            used_ -= Bytes(static_cast<int64_t>(entry(count_ - 1).length));
            --count_;
        }
        if (count_ > 0) end_ = entry(count_ - 1).at + entry(count_ - 1).length;
    }
    // Returns frame `n`; the oldest is 0.
    [[nodiscard]] std::span<uint8_t> frame(std::size_t n) {
        return {&octets_[entry(n).at], entry(n).length};
    }
    [[nodiscard]] PrioritySet priority(std::size_t n) const { return entry(n).priority; }
    void release(std::size_t frames) {
        assert(frames <= count_);
        for (; frames > 0; --frames) {
            used_ -= Bytes(static_cast<int64_t>(entries_[first_].length));
            first_ = (first_ + 1) % most_;
            --count_;
        }
        assert(count_ > 0 || used_ == Bytes(0));
    }

    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::size_t most() const { return most_; }
    [[nodiscard]] Bytes size() const { return Bytes(static_cast<int64_t>(size_)); }
    [[nodiscard]] Bytes used() const { return used_; }
    [[nodiscard]] Bytes most_used() const { return most_used_; }
    void clear_watermark() { most_used_ = used_; }

  private:
    struct Entry {
        uint32_t at;
        uint32_t length;
        PrioritySet priority;
    };
    static constexpr std::size_t nowhere = SIZE_MAX;

    [[nodiscard]] const Entry& entry(std::size_t n) const {
        assert(n < count_);
        return entries_[(first_ + n) % most_];
    }
    // Returns the offset for a next frame of `length`, or `nowhere`. Frames occupy `start` to
    // `end_`, or, after a wrap, `start` to the ring's end and 0 to `end_`.
    [[nodiscard]] std::size_t place(std::size_t length) const {
        if (count_ == most_ || length > size_) return nowhere;
        if (count_ == 0) return 0;
        const std::size_t start = entries_[first_].at;
        if (end_ <= start) return start - end_ >= length ? end_ : nowhere;
        if (size_ - end_ >= length) return end_;
        return start >= length ? 0 : nowhere;
    }

    const std::size_t size_;
    const std::size_t most_;
    const std::unique_ptr<uint8_t[]> octets_;
    const std::unique_ptr<Entry[]> entries_;
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    std::size_t end_ = 0;  // offset after the newest frame
    Bytes used_;
    Bytes most_used_;
};

}  // namespace sluice
