#include "pmd_glue/vhost/guest_sender.h"

#include <rte_eth_vhost.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_vhost.h>

#include <cassert>
#include <cerrno>
#include <cstring>

#include "pmd_glue/packet/checksum_mark.h"
#include "pmd_glue/raw_buffers.h"

namespace sluice::pmd::vhost {
namespace {

using offload::Checksum;

// Feature bits of a guest (Virtio 1.2, 5.1.3).
constexpr uint64_t unfinished_checksum = uint64_t{1} << 1;
constexpr uint64_t tcp4_segments = uint64_t{1} << 7;
constexpr uint64_t tcp6_segments = uint64_t{1} << 8;

int on_link(uint16_t /*ethdev*/, rte_eth_event_type /*event*/, void* sender, void* /*nothing*/) {
    static_cast<GuestSender*>(sender)->learn_features();
    return 0;
}

std::span<const uint8_t> octets_of(const rte_mbuf& frame) {
    return {rte_pktmbuf_mtod(&frame, const uint8_t*), frame.data_len};
}

Checksum checksum_of(const rte_mbuf& frame) {
    return (frame.ol_flags & packet::checksum_is_right) != 0 ? Checksum::right : Checksum::unknown;
}

// Returns whether no other buffer shares its octets, so that it may become part of a chain.
bool is_own(const rte_mbuf& frame) { return is_raw(frame) && RTE_MBUF_DIRECT(&frame); }

void move_start(rte_mbuf& frame, int octets) {
    assert(octets <= frame.data_len && frame.data_off + octets >= 0);
    frame.data_off = static_cast<uint16_t>(frame.data_off + octets);
    frame.data_len = static_cast<uint16_t>(frame.data_len - octets);
    frame.pkt_len = frame.data_len;
}

}  // namespace

GuestSender::GuestSender(uint16_t ethdev) : ethdev_(ethdev) {
    rte_eth_dev_callback_register(ethdev_, RTE_ETH_EVENT_INTR_LSC, on_link, this);
}

// Waits until the driver's thread has returned from the callback.
GuestSender::~GuestSender() {
    while (rte_eth_dev_callback_unregister(ethdev_, RTE_ETH_EVENT_INTR_LSC, on_link, this) ==
           -EAGAIN) {
        continue;
    }
}

void GuestSender::learn_features() {
    rte_eth_link link{};
    uint64_t features = 0;
    const bool is_up = rte_eth_link_get_nowait(ethdev_, &link) == 0 && link.link_status != 0;
    const int device = is_up ? rte_eth_vhost_get_vid_from_port_id(ethdev_) : -1;
    if (device >= 0 && rte_vhost_get_negotiated_features(device, &features) != 0) features = 0;
    set_features(features);
}

offload::Join::Kinds GuestSender::kinds() const {
    const uint64_t features = features_.load(std::memory_order_relaxed);
    if ((features & unfinished_checksum) == 0) return {};
    return {.tcp4 = (features & tcp4_segments) != 0, .tcp6 = (features & tcp6_segments) != 0};
}

std::size_t GuestSender::transmit(std::span<rte_mbuf*> frames, rte_mempool* pool) {
    const auto send = [this](std::span<rte_mbuf*> burst) -> std::size_t {
        return rte_eth_tx_burst(ethdev_, 0, burst.data(), static_cast<uint16_t>(burst.size()));
    };
    assert(frames.size() <= messages_.size());
    const offload::Join::Kinds joins = kinds();
    if (!joins.any()) return send(frames);
    const std::size_t used = compose(frames, joins, pool);
    const std::size_t sent = send(std::span(messages_).first(used));
    for (std::size_t message = 0; message < used; ++message) {
        if (about_[message].frames == 1) continue;
        if (message < sent) {
            joined_.add(about_[message].frames);
            segments_.add(1);
        } else {
            take_apart(messages_[message], about_[message].header_octets);
        }
    }
    if (sent == used) return frames.size();
    if (sent == 0 && about_[0].frames > 1) return send(frames);
    return about_[sent].first;
}

std::size_t GuestSender::compose(std::span<rte_mbuf* const> frames,
                                 const offload::Join::Kinds& kinds, rte_mempool* pool) {
    std::size_t used = 0;
    for (std::size_t first = 0; first < frames.size(); ++used) {
        Message& message = about_[used];
        message = {.first = first, .frames = 1};
        rte_mbuf* const segment = join_from(frames.subspan(first), kinds, pool, message);
        messages_[used] = segment != nullptr ? segment : frames[first];
        first += message.frames;
    }
    return used;
}

// Joins the first frame and the frames that can follow it into one segment. Returns null if no
// frame can follow, or if there is no buffer for the headers. The last octet of the headers, which
// is the same in all frames, stays with the first frame, so that the headers are in two pieces: the
// library then does not change the checksum. Otherwise it would replace the right checksum by that
// of a pseudo-header without a length; a guest that forwards the frame needs the right checksum.
rte_mbuf* GuestSender::join_from(std::span<rte_mbuf* const> frames,
                                 const offload::Join::Kinds& kinds, rte_mempool* pool,
                                 Message& message) {
    if (!is_own(*frames[0]) || frames.size() == 1) return nullptr;
    if (!join_.start(octets_of(*frames[0]), checksum_of(*frames[0]), kinds)) return nullptr;
    std::size_t end = 1;
    while (end < frames.size() && is_own(*frames[end]) &&
           join_.add(octets_of(*frames[end]), checksum_of(*frames[end]))) {
        ++end;
    }
    rte_mbuf* head = nullptr;
    if (end == 1 || !raw_alloc_bulk(pool, {&head, 1})) return nullptr;
    offload::Unfinished left;
    const auto headers = join_.finish(left);
    message.frames = end;
    message.header_octets = headers.size();
    std::memcpy(rte_pktmbuf_mtod(head, uint8_t*), headers.data(), headers.size() - 1);
    head->data_len = static_cast<uint16_t>(headers.size() - 1);
    head->pkt_len = head->data_len;
    rte_mbuf* last = head;
    for (rte_mbuf* const frame : frames.first(end)) {
        const std::size_t kept = last == head ? 1 : 0;
        move_start(*frame, static_cast<int>(headers.size() - kept));
        head->pkt_len += frame->data_len;
        last->next = frame;
        last = frame;
    }
    head->nb_segs = static_cast<uint16_t>(end + 1);
    const bool is_ipv6 = left.segments == offload::Segments::tcp6;
    head->ol_flags = RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_TCP_CKSUM |
                     (is_ipv6 ? RTE_MBUF_F_TX_IPV6 : RTE_MBUF_F_TX_IPV4);
    head->tx_offload = 0;
    head->l2_len = join_.network() & 0x7F;
    head->l3_len = (left.checksum_start - join_.network()) & 0x1FF;
    head->l4_len = (headers.size() - left.checksum_start) & 0xFF;
    head->tso_segsz = left.segment_octets;
    return head;
}

void GuestSender::take_apart(rte_mbuf* segment, std::size_t header_octets) {
    std::size_t kept = 1;
    for (rte_mbuf* frame = segment->next; frame != nullptr;) {
        rte_mbuf* const next = frame->next;
        frame->next = nullptr;
        move_start(*frame, -static_cast<int>(header_octets - kept));
        kept = 0;
        frame = next;
    }
    segment->next = nullptr;
    segment->nb_segs = 1;
    raw_free_bulk({&segment, 1});
}

}  // namespace sluice::pmd::vhost
