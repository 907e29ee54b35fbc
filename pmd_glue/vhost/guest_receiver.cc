#include "pmd_glue/vhost/guest_receiver.h"

#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_net.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include "dataplane/offload/finish.h"
#include "pmd_glue/packet/checksum_mark.h"
#include "pmd_glue/packet/cut_frames.h"

namespace sluice::pmd::vhost {
namespace {

using offload::Segments;

// Octets of the longest IP packet with an Ethernet header and two tags.
constexpr std::size_t longest_segment = 65535 + 14 + 2 * 4;
// Packets received at once from a guest that sends segments: each may use up to 40 buffers.
constexpr std::size_t segments_a_burst = 4;

bool is_segment(const rte_mbuf& frame) { return (frame.ol_flags & RTE_MBUF_F_RX_LRO) != 0; }

bool lacks_checksum(const rte_mbuf& frame) {
    return (frame.ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) == RTE_MBUF_F_RX_L4_CKSUM_NONE;
}

// Returns the unfinished offloads, if the library has found the transport header. UDP segments are
// not supported: with this library, such a segment from a guest requests IP fragmentation.
offload::Unfinished left_of(const rte_mbuf& frame) {
    rte_net_hdr_lens lengths{};
    const uint32_t type = rte_net_get_ptype(
        &frame, &lengths, RTE_PTYPE_L2_MASK | RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK);
    offload::Unfinished left;
    left.checksum_start = static_cast<uint16_t>(lengths.l2_len + lengths.l3_len);
    left.segment_octets = frame.tso_segsz;
    const uint32_t transport = type & RTE_PTYPE_L4_MASK;
    left.checksum = transport == RTE_PTYPE_L4_TCP || transport == RTE_PTYPE_L4_UDP ||
                    transport == RTE_PTYPE_L4_SCTP;
    left.checksum_offset = transport == RTE_PTYPE_L4_TCP   ? 16
                           : transport == RTE_PTYPE_L4_UDP ? 6
                                                           : 8;
    if (transport == RTE_PTYPE_L4_TCP) {
        left.segments = RTE_ETH_IS_IPV4_HDR(type) ? Segments::tcp4 : Segments::tcp6;
    }
    return left;
}

}  // namespace

GuestReceiver::~GuestReceiver() {
    if (cutting_) rte_pktmbuf_free(cutting_->segment);
    while (first_waiting_ < end_waiting_) rte_pktmbuf_free(waiting_[first_waiting_++]);
}

GuestReceiver::Counts GuestReceiver::counts() const {
    return {.unusable = unusable_.value(),
            .checksums_finished = checksums_finished_.value(),
            .segments_cut = segments_cut_.value(),
            .frames_cut = frames_cut_.value()};
}

std::size_t GuestReceiver::receive(std::span<rte_mbuf*> buffers, rte_mempool* pool) {
    holds_back_ = false;
    std::size_t filled = 0;
    bool has_asked = false;
    while (filled < buffers.size()) {
        const std::span<rte_mbuf*> room = buffers.subspan(filled);
        if (cutting_) {
            const std::size_t more = go_on_cutting(room, pool);
            holds_back_ = more == 0;
            if (holds_back_) return filled;
            filled += more;
        } else if (first_waiting_ < end_waiting_) {
            rte_mbuf* const frame = waiting_[first_waiting_++];
            if (is_segment(*frame)) {
                start_cutting(frame, rte_pktmbuf_data_room_size(pool) - RTE_PKTMBUF_HEADROOM);
                continue;
            }
            if (lacks_checksum(*frame)) finish(*frame);
            room.front() = frame;
            ++filled;
        } else {
            if (has_asked) return filled;
            has_asked = true;
            filled += take(room);
        }
    }
    return filled;
}

// Frames before the first segment are received unchanged; the others wait.
std::size_t GuestReceiver::take(std::span<rte_mbuf*> room) {
    assert(!cutting_ && first_waiting_ == end_waiting_ && "what waits goes first");
    const std::size_t most = sends_segments_ ? segments_a_burst : waiting_.size();
    const auto wanted = static_cast<uint16_t>(std::min(room.size(), most));
    const std::size_t got = rte_eth_rx_burst(ethdev_, queue_, room.data(), wanted);
    const auto frames = room.first(got);
    const auto segment =
        std::ranges::find_if(frames, [](auto* frame) { return is_segment(*frame); });
    sends_segments_ = segment != frames.end();
    first_waiting_ = 0;
    end_waiting_ = static_cast<std::size_t>(
        std::ranges::copy(segment, frames.end(), waiting_.begin()).out - waiting_.begin());
    const std::span plain(frames.begin(), segment);
    for (rte_mbuf* const frame : plain) {
        if (lacks_checksum(*frame)) finish(*frame);
    }
    return plain.size();
}

void GuestReceiver::finish(rte_mbuf& frame) {
    const offload::Unfinished left = left_of(frame);
    frame.ol_flags &= ~RTE_MBUF_F_RX_L4_CKSUM_MASK;
    if (!left.checksum || (frame.nb_segs != 1 && rte_pktmbuf_linearize(&frame) != 0)) return;
    const std::span<uint8_t> octets(rte_pktmbuf_mtod(&frame, uint8_t*), frame.data_len);
    if (!offload::finish_checksum(octets, left)) return;
    frame.ol_flags |= packet::checksum_is_right;
    checksums_finished_.add(1);
}

// Begins to cut `segment` into frames. Drops the segment if it is invalid, or if its first frame
// would have more than `room` octets.
void GuestReceiver::start_cutting(rte_mbuf* segment, std::size_t room) {
    assert(!cutting_);
    std::array<uint8_t, offload::most_tunnel_headers> copy;
    const std::size_t length = segment->pkt_len;
    const auto there = static_cast<uint32_t>(std::min(length, copy.size()));
    const auto* const front =
        static_cast<const uint8_t*>(rte_pktmbuf_read(segment, 0, there, copy.data()));
    std::optional<offload::Cut> cut;
    if (front != nullptr && length <= longest_segment) {
        cut = offload::Cut::of({front, there}, length, left_of(*segment));
    }
    if (!cut || cut->header_octets() + cut->payload_octets(0) > room) {
        rte_pktmbuf_free(segment);
        unusable_.add(1);
        return;
    }
    segments_cut_.add(1);
    cutting_ = {.cut = *cut, .segment = segment, .part = segment, .offset = cut->header_octets()};
}

std::size_t GuestReceiver::go_on_cutting(std::span<rte_mbuf*> room, rte_mempool* pool) {
    const offload::Cut& cut = cutting_->cut;
    const std::size_t taken = packet::cut_frames(
        cut, cutting_->next, room, pool,
        [this](std::size_t /*number*/, std::span<uint8_t> to) { copy_payload(to); });
    frames_cut_.add(taken);
    assert(taken <= room.size() && cutting_->next <= cut.frames());
    if (cutting_->next == cut.frames()) {
        rte_pktmbuf_free(cutting_->segment);
        cutting_.reset();
    }
    return taken;
}

// Copies the next octets of the segment.
void GuestReceiver::copy_payload(std::span<uint8_t> to) {
    const rte_mbuf*& part = cutting_->part;
    std::size_t& offset = cutting_->offset;
    while (!to.empty()) {
        while (offset >= part->data_len) {
            offset -= part->data_len;
            part = part->next;
            assert(part != nullptr && "a segment has the octets that it said");
        }
        const std::size_t octets = std::min(to.size(), part->data_len - offset);
        std::memcpy(to.data(), rte_pktmbuf_mtod_offset(part, const uint8_t*, offset), octets);
        offset += octets;
        to = to.subspan(octets);
    }
}

}  // namespace sluice::pmd::vhost
