#include "pmd_glue/packet/receiver.h"

#include <rte_mbuf.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "dataplane/offload/finish.h"
#include "dataplane/types/tag.h"
#include "pmd_glue/packet/checksum_mark.h"
#include "pmd_glue/packet/cut_frames.h"
#include "pmd_glue/raw_buffers.h"

namespace sluice::pmd::packet {
namespace {

// Octets of the longest segment with its headers.
constexpr std::size_t longest_segment = 65536 + 256;

std::size_t tag_octets_of(const Arrival& arrival) { return arrival.tag == 0 ? 0 : tag_octets; }

// Copies the first octets of a frame, with its tag inserted again, as many as fit. Returns how many
// octets were copied.
std::size_t copy_with_tag(const Arrival& arrival, std::span<const uint8_t> octets,
                          std::span<uint8_t> to) {
    if (arrival.tag == 0 || octets.size() < tag_offset) {
        const std::size_t copied = std::min(octets.size(), to.size());
        std::memcpy(to.data(), octets.data(), copied);
        return copied;
    }
    std::memcpy(to.data(), octets.data(), tag_offset);
    write_32(to.data() + tag_offset, arrival.tag);
    const std::size_t behind = std::min(octets.size(), to.size() - tag_octets) - tag_offset;
    std::memcpy(to.data() + tag_offset + tag_octets, octets.data() + tag_offset, behind);
    return tag_offset + tag_octets + behind;
}

offload::Unfinished behind_tag(const Arrival& arrival) {
    offload::Unfinished left = arrival.left;
    left.checksum_start = static_cast<uint16_t>(left.checksum_start + tag_octets_of(arrival));
    return left;
}

// Returns the most frames that a segment can become. If the frames fit into a burst, they are
// received in one burst, and may be sent as one segment.
std::size_t most_frames_of(const Arrival& arrival) {
    return arrival.length / std::max<std::size_t>(arrival.left.segment_octets, 1) + 1;
}

std::size_t room_of(rte_mempool* pool) {
    return rte_pktmbuf_data_room_size(pool) - RTE_PKTMBUF_HEADROOM;
}

}  // namespace

Receiver::Receiver(std::unique_ptr<ReceiveRing> ring)
    : ring_(std::move(ring)), whole_(longest_segment) {}

Receiver::Receiver(Tap& tap) : tap_(&tap) {}

Receiver::Counts Receiver::counts() const {
    return {.missed = (tap_ != nullptr ? tap_->missed() : ring_->missed()) + unread_.value(),
            .unusable = unusable_.value(),
            .checksums_finished = checksums_finished_.value(),
            .segments_cut = segments_cut_.value(),
            .frames_cut = frames_cut_.value()};
}

std::size_t Receiver::receive(std::span<rte_mbuf*> buffers, rte_mempool* pool) {
    holds_back_ = false;
    std::size_t filled = 0;
    while (filled < buffers.size()) {
        const std::span<rte_mbuf*> room = buffers.subspan(filled);
        if (cutting_) {
            const std::size_t more = go_on_cutting(room, pool);
            holds_back_ = more == 0;
            if (holds_back_) return filled;
            filled += more;
            continue;
        }
        auto arrival = look();
        if (!arrival) return filled;
        if (arrival->left.segments != offload::Segments::none) {
            const std::size_t frames = most_frames_of(*arrival);
            holds_back_ = frames > room.size() && frames <= buffers.size();
            if (holds_back_) return filled;
            const Start start = start_cutting(*arrival, room_of(pool));
            if (start != Start::too_long) continue;
            arrival->is_whole = false;
        }
        holds_back_ = !take_frame(*arrival, room.front(), pool);
        if (holds_back_) return filled;
        give_back();
        ++filled;
    }
    return filled;
}

// A frame that is longer than its port's buffers is cut to their length: the switch then counts it
// as too long.
bool Receiver::take_frame(const Arrival& arrival, rte_mbuf*& buffer, rte_mempool* pool) {
    if (!raw_alloc_bulk(pool, {&buffer, 1})) return false;
    const std::span<uint8_t> room(rte_pktmbuf_mtod(buffer, uint8_t*), room_of(pool));
    const std::size_t copied = copy_with_tag(arrival, arrival.octets, room);
    if (!arrival.is_whole) {
        set_length(*buffer, std::min(arrival.length + tag_octets_of(arrival), room.size()));
        return true;
    }
    set_length(*buffer, copied);
    if (arrival.left.checksum &&
        offload::finish_checksum(room.first(copied), behind_tag(arrival))) {
        buffer->ol_flags |= checksum_is_right;
        checksums_finished_.add(1);
    }
    return true;
}

Receiver::Start Receiver::start_cutting(const Arrival& arrival, std::size_t room) {
    std::span<const uint8_t> octets = arrival.octets;
    if (!arrival.is_whole && arrival.can_be_had) {
        octets = std::span(whole_).first(std::min(ring_->read_whole(whole_), whole_.size()));
    }
    if (octets.size() != arrival.length) {
        unread_.add(1);
        give_back();
        return Start::gone;
    }
    std::array<uint8_t, offload::most_tunnel_headers> front;
    const std::size_t copied = copy_with_tag(arrival, octets, front);
    const std::size_t added = tag_octets_of(arrival);
    const auto cut = offload::Cut::of(std::span(front).first(copied), octets.size() + added,
                                      behind_tag(arrival));
    if (!cut) {
        unusable_.add(1);
        give_back();
        return Start::gone;
    }
    if (cut->header_octets() + cut->payload_octets(0) > room) return Start::too_long;
    assert(!cutting_);
    segments_cut_.add(1);
    cutting_ = {.cut = *cut, .octets = octets, .tag_octets = added};
    return Start::cutting;
}

std::size_t Receiver::go_on_cutting(std::span<rte_mbuf*> room, rte_mempool* pool) {
    const offload::Cut& cut = cutting_->cut;
    const auto copy_payload = [&](std::size_t number, std::span<uint8_t> to) {
        std::memcpy(to.data(), &cutting_->octets[cut.payload_at(number) - cutting_->tag_octets],
                    to.size());
    };
    const std::size_t taken = cut_frames(cut, cutting_->next, room, pool, copy_payload);
    frames_cut_.add(taken);
    if (cutting_->next == cut.frames()) {
        cutting_.reset();
        give_back();
    }
    return taken;
}

}  // namespace sluice::pmd::packet
