// Ring ends: reading from a shared ring, and writing to one.
//
// `ReceiveRing` consumes, `TransmitRing` produces; each belongs to one worker. A descriptor is read
// once, before its buffer. The other end's index is read again only if the known entries do not
// fill a burst: that word comes from another core. Nothing in the memory is trusted. A descriptor
// is valid only if its buffer lies in a region; an invalid one is counted and yields no frame. If
// the other end claims more entries than the ring holds, or provides invalid buffers, the ring is
// `broken` and transfers nothing any more.
// A frame longer than a buffer is sent in several, each but the last of which has the flag
// `continues`; such frames are reassembled on receipt.
// Bound: the requested number of frames, with at most most_parts buffers each. Frames that are not
// received stay in the ring; frames that do not fit stay with the caller.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "pmd_glue/memif/shared_memory.h"
#include "pmd_glue/memif/waker.h"

namespace sluice::pmd::memif {

enum class Role : uint8_t { server, client };

// Octets of a frame, or of a part of one.
using Octets = std::span<const uint8_t>;

class RingEnd {
  public:
    static constexpr std::size_t most_parts = 256;

    // `first_offset`: for a client, the offset of the first buffer of this ring.
    RingEnd(const SharedMemory& memory, const Ring& ring, Role role, uint64_t first_offset);

    [[nodiscard]] bool broken() const { return broken_.load(std::memory_order_relaxed); }

  protected:
    [[nodiscard]] uint16_t size() const { return static_cast<uint16_t>(mask_ + 1U); }
    [[nodiscard]] Descriptor read(uint16_t number) const;
    // Returns the buffer's octets; none if it lies outside of all regions.
    [[nodiscard]] std::span<uint8_t> buffer_of(const Descriptor& descriptor) const;
    void write(uint16_t number, const Descriptor& descriptor);
    // Returns the number of entries between this end's position and the other end's `index` +
    // `beyond`. Reads the index again if fewer than `wanted` entries are known. Returns 0 if the
    // ring is broken.
    [[nodiscard]] uint16_t available(std::size_t wanted, const uint16_t& index, uint16_t beyond);
    // Called by a client: returns a descriptor of the empty buffer of place `number`.
    [[nodiscard]] Descriptor own(uint16_t number) const;
    enum class Access : uint8_t { read, write };
    // Prefetches the descriptors of `count` places from place `number` on, which the other core
    // wrote last. The next burst uses these descriptors; they are prefetched while this burst is
    // handled.
    template <Access access>
    void prefetch(uint16_t number, std::size_t count) const;
    void break_off() { broken_.store(true, std::memory_order_relaxed); }

    RingHeader& header_;
    Descriptor* const places_;
    const uint16_t mask_;
    const Role role_;
    uint16_t next_ = 0;   // this end's next place
    uint16_t known_ = 0;  // first place that, as far as known, is still the other end's

  private:
    const uint64_t first_offset_;
    const uint32_t buffer_octets_;
    std::atomic<bool> broken_{false};
    std::array<std::span<uint8_t>, SharedMemory::most_regions> regions_{};
};

class ReceiveRing : public RingEnd {
  public:
    ReceiveRing(const SharedMemory& memory, const Ring& ring, Role role, uint64_t first_offset);

    struct Seen {
        std::size_t frames = 0;
        std::size_t bad = 0;     // descriptors without a valid frame
        std::size_t places = 0;  // places of frames and of bad descriptors
        bool has_parts = false;  // the next frame is in several buffers
    };
    // Looks at up to `most` (at most max_burst) waiting frames of one buffer each, and stops at a
    // frame in several buffers; keeps up to `longest` octets of each. `frame` returns these frames
    // until the next look.
    Seen look(std::size_t most, std::size_t longest);
    [[nodiscard]] Octets frame(std::size_t number) const {
        assert(number < frames_.size());
        return frames_[number];
    }
    // Copies as many octets of the next frame as fit to the beginning of `room`. Returns no frame
    // if the next one was bad or is incomplete.
    Seen linearize(std::span<uint8_t> room, std::size_t& length);
    // Gives the buffers of the last look back to the producer.
    void give_back(const Seen& seen);

    // Number of descriptors without a valid frame. Any thread may call it.
    [[nodiscard]] uint64_t bad() const { return bad_.value(); }

  private:
    std::array<Octets, max_burst> frames_;
    Counter bad_;
};

class TransmitRing : public RingEnd {
  public:
    TransmitRing(const SharedMemory& memory, const Ring& ring, Role role, uint64_t first_offset);

    // Returns how many of the frames, from the first on, were put into the ring.
    std::size_t send(std::span<const Octets> frames);

  private:
    // Returns the number of free places; reads the other end's index again if fewer than `wanted`
    // are known to be free.
    std::size_t places_for(std::size_t wanted);
    [[nodiscard]] Descriptor offered(uint16_t number) const {
        return role_ == Role::server ? read(number) : own(number);
    }
    // Puts one frame into each place, up to the first frame that does not fit. Returns how many
    // frames it put there.
    std::size_t put_whole(std::span<const Octets> frames);
    // Returns how many places the frame took; 0 if too few are free.
    std::size_t put(Octets frame, std::size_t free);

    const int interrupt_;
    Waker waker_;
};

// Copies without calling memcpy, which would take longer than most frames, as these are short.
inline void copy_octets(uint8_t* to, Octets from) {
    constexpr std::size_t half = 32;
    const std::size_t count = from.size();
    if (count - half <= half) {
        std::memcpy(to, from.data(), half);
        std::memcpy(to + count - half, from.data() + count - half, half);
    } else if (count - 2 * half <= 2 * half) {
        std::memcpy(to, from.data(), 2 * half);
        std::memcpy(to + count - 2 * half, from.data() + count - 2 * half, 2 * half);
    } else {
        std::memcpy(to, from.data(), count);
    }
}

}  // namespace sluice::pmd::memif
