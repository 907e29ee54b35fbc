#include "pmd_glue/memif/ring_end.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace sluice::pmd::memif {
namespace {

using Word [[gnu::may_alias]] = uint64_t;
using TwoWords = std::array<uint64_t, 2>;

constexpr std::size_t line_octets = 64;

}  // namespace

RingEnd::RingEnd(const SharedMemory& memory, const Ring& ring, Role role, uint64_t first_offset)
    : header_(*reinterpret_cast<RingHeader*>(memory.start_of(ring))),
      places_(reinterpret_cast<Descriptor*>(&header_ + 1)),
      mask_(static_cast<uint16_t>((1U << ring.log2_size) - 1)),
      role_(role),
      first_offset_(first_offset),
      buffer_octets_(memory.buffer_octets) {
    assert(0 < ring.log2_size && ring.log2_size < 16 && memory.regions.size() <= regions_.size());
    std::ranges::transform(memory.regions, regions_.begin(), &Region::octets);
}

// Reads the descriptor once: the other end may overwrite it at any time.
inline Descriptor RingEnd::read(uint16_t number) const {
    const auto* const words = reinterpret_cast<const Word*>(&places_[number & mask_]);
    return std::bit_cast<Descriptor>(TwoWords{__atomic_load_n(words, __ATOMIC_RELAXED),
                                              __atomic_load_n(words + 1, __ATOMIC_RELAXED)});
}

// Writes two whole words: a store for each field would be five stores.
inline void RingEnd::write(uint16_t number, const Descriptor& descriptor) {
    auto* const words = reinterpret_cast<Word*>(&places_[number & mask_]);
    const auto [first, second] = std::bit_cast<TwoWords>(descriptor);
    __atomic_store_n(words, first, __ATOMIC_RELAXED);
    __atomic_store_n(words + 1, second, __ATOMIC_RELAXED);
}

inline std::span<uint8_t> RingEnd::buffer_of(const Descriptor& descriptor) const {
    if (descriptor.region >= regions_.size()) return {};
    const std::span<uint8_t> region = regions_[descriptor.region];
    if (descriptor.offset > region.size()) return {};
    if (descriptor.length > region.size() - descriptor.offset) return {};
    return region.subspan(descriptor.offset, descriptor.length);
}

inline Descriptor RingEnd::own(uint16_t number) const {
    assert(role_ == Role::client);
    const uint64_t offset = first_offset_ + uint64_t{buffer_octets_} * (number & mask_);
    return {.flags = 0,
            .region = 0,
            .length = buffer_octets_,
            .offset = static_cast<uint32_t>(offset),
            .metadata = 0};
}

template <RingEnd::Access access>
inline void RingEnd::prefetch(uint16_t number, std::size_t count) const {
    constexpr std::size_t places_in_line = line_octets / sizeof(Descriptor);
    for (std::size_t n = 0; n < count; n += places_in_line) {
        const auto next = static_cast<uint16_t>(number + n);
        __builtin_prefetch(&places_[next & mask_], access == Access::write ? 1 : 0);
    }
}

inline uint16_t RingEnd::available(std::size_t wanted, const uint16_t& index, uint16_t beyond) {
    if (broken()) [[unlikely]]
        return 0;
    if (static_cast<uint16_t>(known_ - next_) < wanted) {
        known_ = static_cast<uint16_t>(__atomic_load_n(&index, __ATOMIC_ACQUIRE) + beyond);
        if (static_cast<uint16_t>(known_ - next_) > size()) [[unlikely]] {
            break_off();
            return 0;
        }
    }
    return static_cast<uint16_t>(known_ - next_);
}

// --- receive ---

ReceiveRing::ReceiveRing(const SharedMemory& memory, const Ring& ring, Role role,
                         uint64_t first_offset)
    : RingEnd(memory, ring, role, first_offset) {
    __atomic_store_n(&header_.flags, no_interrupts, __ATOMIC_RELAXED);
    // Buffers are offered only once both ends are connected: DPDK's server begins by taking all
    // buffers.
    if (role == Role::client) __atomic_store_n(&header_.head, size(), __ATOMIC_RELEASE);
}

ReceiveRing::Seen ReceiveRing::look(std::size_t most, std::size_t longest) {
    most = std::min(most, frames_.size());
    const uint16_t& index = role_ == Role::server ? header_.head : header_.tail;
    const std::size_t wanted = std::min<std::size_t>(available(most, index, 0), most);
    Seen seen;
    for (; seen.places < wanted; ++seen.places) {
        const Descriptor descriptor = read(static_cast<uint16_t>(next_ + seen.places));
        if ((descriptor.flags & continues) != 0) [[unlikely]] {
            seen.has_parts = true;
            break;
        }
        const Octets octets = buffer_of(descriptor);
        if (octets.empty()) [[unlikely]] {
            ++seen.bad;
            continue;
        }
        __builtin_prefetch(octets.data());
        frames_[seen.frames++] = octets.first(std::min(octets.size(), longest));
    }
    assert(seen.frames + seen.bad == seen.places);
    const auto after = static_cast<uint16_t>(next_ + seen.places);
    prefetch<Access::read>(after,
                           std::min<std::size_t>(static_cast<uint16_t>(known_ - after), most));
    return seen;
}

// A frame that has not arrived completely stays in the ring.
[[gnu::noinline]] ReceiveRing::Seen ReceiveRing::linearize(std::span<uint8_t> room,
                                                           std::size_t& length) {
    const auto waiting = static_cast<uint16_t>(known_ - next_);
    Seen seen;
    bool is_good = true;
    length = 0;
    while (seen.places < std::min<std::size_t>(waiting, most_parts)) {
        const Descriptor descriptor = read(static_cast<uint16_t>(next_ + seen.places++));
        const Octets octets = buffer_of(descriptor);
        is_good = is_good && !octets.empty();
        const Octets kept = octets.first(std::min(octets.size(), room.size() - length));
        std::ranges::copy(kept, room.begin() + static_cast<std::ptrdiff_t>(length));
        length += kept.size();
        if ((descriptor.flags & continues) != 0) continue;
        (is_good ? seen.frames : seen.bad) = 1;
        return seen;
    }
    if (seen.places == most_parts || waiting == size()) break_off();
    known_ = next_;
    return {};
}

void ReceiveRing::give_back(const Seen& seen) {
    assert(seen.places <= static_cast<uint16_t>(known_ - next_));
    if (seen.bad != 0) [[unlikely]]
        bad_.add(seen.bad);
    if (role_ == Role::server) {
        next_ = static_cast<uint16_t>(next_ + seen.places);
        __atomic_store_n(&header_.tail, next_, __ATOMIC_RELEASE);
        return;
    }
    for (std::size_t n = 0; n < seen.places; ++n, ++next_) write(next_, own(next_));
    __atomic_store_n(&header_.head, static_cast<uint16_t>(next_ + size()), __ATOMIC_RELEASE);
}

// --- transmit ---

TransmitRing::TransmitRing(const SharedMemory& memory, const Ring& ring, Role role,
                           uint64_t first_offset)
    : RingEnd(memory, ring, role, first_offset), interrupt_(ring.interrupt.number()) {
    if (role == Role::client) known_ = size();
}

std::size_t TransmitRing::send(std::span<const Octets> frames) {
    std::size_t free = places_for(frames.size());
    std::size_t sent = put_whole(frames.first(std::min(frames.size(), free)));
    free -= sent;
    for (; sent < frames.size(); ++sent) {
        std::size_t taken = put(frames[sent], free);
        if (taken == 0) [[unlikely]] {
            // `free` was counted with one place for each frame; a frame in several buffers needs
            // more.
            free = places_for(size());
            taken = put(frames[sent], free);
        }
        if (taken == 0) break;
        next_ = static_cast<uint16_t>(next_ + taken);
        free -= taken;
    }
    assert(broken() || static_cast<uint16_t>(known_ - next_) <= size());
    if (sent == 0) return 0;
    prefetch<Access::write>(next_, std::min(free, max_burst));
    uint16_t& index = role_ == Role::server ? header_.tail : header_.head;
    __atomic_store_n(&index, next_, __ATOMIC_RELEASE);
    if ((__atomic_load_n(&header_.flags, __ATOMIC_RELAXED) & no_interrupts) == 0 && interrupt_ >= 0)
        [[unlikely]] {
        waker_.wake(interrupt_);
    }
    return sent;
}

inline std::size_t TransmitRing::places_for(std::size_t wanted) {
    return role_ == Role::server ? available(wanted, header_.head, 0)
                                 : available(wanted, header_.tail, size());
}

// The buffers are not prefetched: they lie 2,048 octets apart, so the first lines of all of them
// share two sets of the first-level cache, and the lines of a burst would evict one another.
inline std::size_t TransmitRing::put_whole(std::span<const Octets> frames) {
    const uint16_t first = next_;
    std::size_t count = 0;
    for (; count < frames.size(); ++count) {
        const auto number = static_cast<uint16_t>(first + count);
        const Descriptor empty = offered(number);
        const std::span<uint8_t> buffer = buffer_of(empty);
        const Octets frame = frames[count];
        // A frame of no octets does not fit either: `size() - 1` wraps.
        if (frame.size() - 1 >= buffer.size()) [[unlikely]]
            break;
        copy_octets(buffer.data(), frame);
        write(number, {.flags = 0,
                       .region = empty.region,
                       .length = static_cast<uint32_t>(frame.size()),
                       .offset = empty.offset,
                       .metadata = empty.metadata});
    }
    next_ = static_cast<uint16_t>(first + count);
    return count;
}

inline std::size_t TransmitRing::put(Octets frame, std::size_t free) {
    for (std::size_t taken = 0; taken < std::min(free, most_parts);) {
        const auto number = static_cast<uint16_t>(next_ + taken);
        Descriptor descriptor = offered(number);
        const std::span<uint8_t> buffer = buffer_of(descriptor);
        if (buffer.empty()) [[unlikely]] {
            break_off();
            return 0;
        }
        const Octets part = frame.first(std::min(frame.size(), buffer.size()));
        frame = frame.subspan(part.size());
        copy_octets(buffer.data(), part);
        descriptor.flags = frame.empty() ? uint16_t{0} : continues;
        descriptor.length = static_cast<uint32_t>(part.size());
        write(number, descriptor);
        ++taken;
        if (frame.empty()) return taken;
    }
    // The frame could never be sent: it does not fit even if all buffers are free.
    if (free >= most_parts || free == size()) break_off();
    return 0;
}

}  // namespace sluice::pmd::memif
