// Dynamic Threshold: computes how much of a shared buffer one queue may hold.
//
// T = alpha x (shared pool - its used part). A queue may hold reserved + T, so the busier the
// switch, the shorter each queue, and some of the pool always stays free for a queue that becomes
// active.
// Follows: Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches"
// (1998). alpha is kept in 1/128.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dataplane/buffer/headroom.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

// Returns the octets of the pool that one queue may use. The result is negative if `free` is
// negative: then only the reserve is available.
constexpr Bytes dynamic_threshold(uint32_t alpha_128, Bytes free) {
    return Bytes(free.count() * static_cast<int64_t>(alpha_128) >> 7);
}

// The part of the buffer that no queue owns. Each worker has a share: it counts the use of its own
// inputs, and reads the use of the other workers once a burst, so a frame costs one word. Several
// workers may take the last octets at the same time: the pool is then overdrawn by at most one
// burst a worker, for which the owner of the buffers keeps spare frames. With one worker the count
// is exact.
class SharedBuffer {
  public:
    // One worker's part of the pool: its own use, and its view of the whole. Only that worker calls
    // the functions, except `used` and `max_used`.
    class alignas(64) Shard {
      public:
        // Reads the use of the other workers.
        void refresh() { others_ = pool_->used() - used(); }
        // Returns the free octets, as of the last `refresh`.
        [[nodiscard]] Bytes free() const { return pool_->size() - others_ - used(); }
        [[nodiscard]] Bytes charge(Bytes length) const { return pool_->charge(length); }
        void take(Bytes amount) {
            assert(amount.count() >= 0);
            used_.add(static_cast<uint64_t>(amount.count()));
        }
        void give(Bytes amount) { used_.subtract(static_cast<uint64_t>(amount.count())); }

        [[nodiscard]] Bytes used() const { return Bytes(static_cast<int64_t>(used_.value())); }
        [[nodiscard]] uint64_t max_used() const { return used_.peak(); }
        void clear_watermark() { used_.clear_peak(); }

      private:
        friend class SharedBuffer;

        const SharedBuffer* pool_ = nullptr;
        Gauge used_;
        // The use of the other workers at the last `refresh`. Each burst writes it, so it is kept
        // apart from words that other workers read.
        alignas(64) Bytes others_;
    };

    SharedBuffer(Bytes size, Bytes cell, uint8_t workers)
        : cell_mask_(cell.count() - 1), shards_(workers) {
        assert(std::has_single_bit(static_cast<uint64_t>(cell.count())));
        for (Shard& shard : shards_) shard.pool_ = this;
        resize(size);
    }
    SharedBuffer(const SharedBuffer&) = delete;
    SharedBuffer& operator=(const SharedBuffer&) = delete;

    [[nodiscard]] Shard& shard(WorkerIndex worker) {
        assert(worker < shards_.size());
        return shards_[worker];
    }
    [[nodiscard]] std::span<const Shard> shards() const { return shards_; }

    [[nodiscard]] Bytes size() const { return Bytes(static_cast<int64_t>(size_.value())); }
    // Sets the size of the pool. Called by one thread when settings change the reserves. If the use
    // is above the new size, no octet is free until enough frames have left.
    void resize(Bytes size) { size_.set(static_cast<uint64_t>(size.count())); }
    [[nodiscard]] Bytes used() const {
        Bytes used;
        for (const Shard& shard : shards_) used += shard.used();
        return used;
    }
    // Returns the octets charged for a frame: its length in whole cells.
    [[nodiscard]] Bytes charge(Bytes length) const {
        assert(length.count() >= 0);
        return Bytes((length.count() + cell_mask_) & ~cell_mask_);
    }

  private:
    Counter size_;
    int64_t cell_mask_;
    std::vector<Shard> shards_;  // one for each worker
};

// Returns the shared part: the buffer less the reserves of all VOQs, those of lanes included, and
// of all lossless groups.
inline Bytes shared_size(const Settings& settings) {
    const auto ports = static_cast<int64_t>(settings.ports.size());
    const auto inputs = ports + static_cast<int64_t>(settings.lanes.size());
    Bytes shared = settings.buffer.size -
                   settings.buffer.reserved * inputs * ports * static_cast<int64_t>(max_priorities);
    for (const PortSettings& port : settings.ports) {
        const Bytes each = set_aside_for(port.pfc.headroom, port.pfc.reserved, port.max_frame,
                                         settings.buffer.cell);
        shared -= each * std::popcount(port.pfc.lossless);
    }
    return shared;
}

// Returns the largest number of frames in the buffer: each frame is charged at least one cell, and
// at least the shortest frame of any port's format.
inline std::size_t most_frames_in_buffer(const Settings& settings) {
    Bytes shortest = bare_frame;
    for (const PortSettings& port : settings.ports) {
        shortest = std::min(shortest, port.format.header);
    }
    const int64_t charge = std::max(settings.buffer.cell, shortest).count();
    return static_cast<std::size_t>((settings.buffer.size.count() + charge - 1) / charge);
}

// Returns the number of frames by which groups may exceed their reserve and headroom at ports with
// several lanes. A lane knows the use of the others as of the start of its burst, so each lane but
// one may exceed each of the two parts by that burst. Every priority is counted, since any may
// become lossless.
inline std::size_t frames_beyond_levels(const Settings& settings) {
    constexpr std::size_t parts = 2;
    return settings.lanes.size() * max_priorities * parts * max_burst;
}

// Returns the largest number of frames by which the buffer may be overdrawn: one burst of each
// worker, and the excess of lanes.
inline std::size_t most_frames_overdrawn(const Settings& settings) {
    return settings.workers * max_burst + frames_beyond_levels(settings);
}

}  // namespace sluice
