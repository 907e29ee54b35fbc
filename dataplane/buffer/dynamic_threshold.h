// Dynamic Threshold: how much of a shared buffer one queue may hold.
//
// T = alpha x (shared pool - what of it is used). A queue may hold reserved + T, so the busier the
// switch, the shorter each queue, and some of the pool always stays free for one that wakes up.
// Follows: Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches"
// (1998). alpha is kept in 1/128.
#pragma once

#include <algorithm>
#include <bit>
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

// May be negative when `free` is: then nothing beyond the reserve may enter.
constexpr Bytes dynamic_threshold(uint32_t alpha_128, Bytes free) {
    return Bytes(free.count() * static_cast<int64_t>(alpha_128) >> 7);
}

// The part of the buffer that nobody owns. Each worker has a share of it: it counts what its inputs
// use, and looks at what the others use once a burst, so a frame costs one word. With several
// workers two may take the last octets at the same time: the pool is then overdrawn by at most one
// burst a worker, for which the owner of the buffers keeps frames spare. With one it is exact.
class SharedBuffer {
  public:
    // What one worker has used, and sees of the pool. Its worker alone calls it, but for `used` and
    // `max_used`.
    class alignas(64) Shard {
      public:
        // Reads what the other workers have used.
        void refresh() { others_ = pool_->used() - used(); }
        // Octets; by what the others had used at the last `refresh`.
        [[nodiscard]] Bytes free() const { return pool_->size() - others_ - used(); }
        [[nodiscard]] Bytes charge(Bytes length) const { return pool_->charge(length); }
        void take(Bytes amount) { used_.add(static_cast<uint64_t>(amount.count())); }
        void give(Bytes amount) { used_.subtract(static_cast<uint64_t>(amount.count())); }

        [[nodiscard]] Bytes used() const { return Bytes(static_cast<int64_t>(used_.value())); }
        [[nodiscard]] uint64_t max_used() const { return used_.peak(); }
        void clear_watermark() { used_.clear_peak(); }

      private:
        friend class SharedBuffer;

        const SharedBuffer* pool_ = nullptr;
        Gauge used_;
        // Written for each burst, so not where the other workers read.
        alignas(64) Bytes others_;
    };

    SharedBuffer(Bytes size, Bytes cell, uint8_t workers)
        : cell_mask_(cell.count() - 1), shards_(workers) {
        for (Shard& shard : shards_) shard.pool_ = this;
        resize(size);
    }
    SharedBuffer(const SharedBuffer&) = delete;
    SharedBuffer& operator=(const SharedBuffer&) = delete;

    [[nodiscard]] Shard& shard(WorkerIndex worker) { return shards_[worker]; }
    [[nodiscard]] std::span<const Shard> shards() const { return shards_; }

    [[nodiscard]] Bytes size() const { return Bytes(static_cast<int64_t>(size_.value())); }
    // By one thread: settings set more or less aside. What is used beyond the new size stays until
    // it drains, and nothing is free before.
    void resize(Bytes size) { size_.set(static_cast<uint64_t>(size.count())); }
    [[nodiscard]] Bytes used() const {
        Bytes used;
        for (const Shard& shard : shards_) used += shard.used();
        return used;
    }
    // What a frame is charged: its length in whole cells.
    [[nodiscard]] Bytes charge(Bytes length) const {
        return Bytes((length.count() + cell_mask_) & ~cell_mask_);
    }

  private:
    Counter size_;
    int64_t cell_mask_;
    std::vector<Shard> shards_;  // one a worker
};

// What is left to share once every VOQ, of each lane, and every lossless group has what is its own.
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

// The most frames that fill the buffer: each is charged a cell at least, and as much as the
// shortest frame of any port's format has.
inline std::size_t most_frames_in_buffer(const Settings& settings) {
    Bytes shortest = bare_frame;
    for (const PortSettings& port : settings.ports) {
        shortest = std::min(shortest, port.format.header);
    }
    const int64_t charge = std::max(settings.buffer.cell, shortest).count();
    return static_cast<std::size_t>((settings.buffer.size.count() + charge - 1) / charge);
}

// The frames by which groups may hold more than their reserve and their headroom where ports have
// several lanes: a lane knows what the others held when its burst began, so each but one may be
// wrong by that burst, once for either part. Whatever is lossless now, any priority may become it.
inline std::size_t frames_beyond_levels(const Settings& settings) {
    constexpr std::size_t parts = 2;
    return settings.lanes.size() * max_priorities * parts * max_burst;
}

// By which the buffer may be overdrawn: a burst of each worker, and what lanes may.
inline std::size_t most_frames_overdrawn(const Settings& settings) {
    return settings.workers * max_burst + frames_beyond_levels(settings);
}

}  // namespace sluice
