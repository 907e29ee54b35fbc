// FramePool: storage for the frames in VOQs, in chunks of 512 octets. Only the worker that owns a
// pool uses it.
//
// The chunk that was returned last is taken first, so a switch with short queues uses few chunks,
// which stay in the processor's cache. A chunk that was never used is never touched, so it costs no
// resident memory. The links between chunks are kept apart from the chunks, sixteen to a cache
// line, so linking a chunk takes no cache line of its own.
// Bound: take and give are O(1). `chunks_for` counts the worst case that admission permits (every
// VOQ with a chunk begun at both ends), so the pool runs out only if settings changed while the
// buffer was full: frames admitted under the old settings and frames admitted under the new ones
// may together exceed that count. Then the frame is dropped, even a lossless one
// (Drop::no_queue_entry).
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "dataplane/types/frame.h"

namespace sluice {

class FramePool {
  public:
    static constexpr std::size_t frames_a_chunk = 21;
    static constexpr uint32_t no_chunk = UINT32_MAX;

    struct alignas(64) Chunk {
        std::array<Frame, frames_a_chunk> frames;
    };
    static_assert(sizeof(Chunk) == 512);

    static constexpr std::size_t chunks_for(std::size_t frames, std::size_t voqs) {
        return frames / frames_a_chunk + 1 + 2 * voqs;
    }

    explicit FramePool(std::size_t chunks)
        : chunks_(untouched<Chunk>(chunks)),
          next_(untouched<uint32_t>(chunks)),
          capacity_(chunks) {}

    [[nodiscard]] Chunk& operator[](uint32_t chunk) {
        assert(chunk < untouched_);
        return chunks_.get()[chunk];
    }
    [[nodiscard]] const Chunk& operator[](uint32_t chunk) const {
        assert(chunk < untouched_);
        return chunks_.get()[chunk];
    }
    // Returns the chunk linked after `chunk`; valid until `chunk` is returned.
    [[nodiscard]] uint32_t next(uint32_t chunk) const {
        assert(chunk < untouched_);
        return next_.get()[chunk];
    }
    void link(uint32_t chunk, uint32_t next) {
        assert(chunk < untouched_ && chunk != next);
        next_.get()[chunk] = next;
    }

    // Returns no_chunk if none is left.
    [[nodiscard]] uint32_t take() {
        if (free_ != no_chunk) {
            const uint32_t chunk = free_;
            free_ = next(chunk);
            return chunk;
        }
        return untouched_ == capacity_ ? no_chunk : static_cast<uint32_t>(untouched_++);
    }
    void give(uint32_t chunk) {
        assert(chunk != free_ && "a chunk is given back once");
        link(chunk, free_);
        free_ = chunk;
    }
    // Count the frames in the VOQs that use this pool; the VOQs call them.
    void count_in() { ++waiting_; }
    void count_out(std::size_t frames) {
        assert(frames <= waiting_);
        waiting_ -= frames;
    }
    [[nodiscard]] std::size_t waiting() const { return waiting_; }

  private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    template <class Thing>
    using Many = std::unique_ptr<Thing, Free>;

    template <class Thing>
    static Many<Thing> untouched(std::size_t count) {
        const std::size_t octets = (count * sizeof(Thing) + alignof(Chunk) - 1) & -alignof(Chunk);
        Many<Thing> memory(static_cast<Thing*>(std::aligned_alloc(alignof(Chunk), octets)));
        if (memory == nullptr) std::abort();  // at start: nothing can run without it
        return memory;
    }

    Many<Chunk> chunks_;
    Many<uint32_t> next_;
    std::size_t capacity_;
    std::size_t untouched_ = 0;
    std::size_t waiting_ = 0;
    uint32_t free_ = no_chunk;
};

}  // namespace sluice
