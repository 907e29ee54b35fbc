#include "pmd_glue/packet/interface.h"

#include <rte_mbuf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include "dataplane/offload/finish.h"
#include "dataplane/tag.h"
#include "pmd_glue/interface_query.h"
#include "pmd_glue/nic/nic_settings.h"
#include "pmd_glue/raw_buffers.h"

namespace sluice::pmd::packet {
namespace {

// Of a segment, with its headers.
constexpr std::size_t longest_segment = 65536 + 256;
// What a frame has whose checksum was computed here, or was found right by its host.
constexpr uint64_t checksum_is_right = RTE_MBUF_F_RX_L4_CKSUM_GOOD;

offload::Join::Kinds what_it_joins(const nic::NicSettings& settings) {
    const auto is_on = [&](const char* name) { return settings.feature(name) == true; };
    if (!is_on("tx-scatter-gather")) return {};
    return {.tcp4 = is_on("tx-tcp-segmentation"),
            .tcp6 = is_on("tx-tcp6-segmentation"),
            .udp = is_on("tx-udp-segmentation")};
}

MacAddress address_of(const std::string& name) {
    InterfaceQuery query(name);
    if (!query.ask(SIOCGIFHWADDR)) return {};
    return read_address(reinterpret_cast<const uint8_t*>(query.request().ifr_hwaddr.sa_data));
}

std::size_t tag_octets_of(const Arrival& arrival) { return arrival.tag == 0 ? 0 : tag_octets; }

// The first octets of a frame with its tag put back; what does not fit is left out. How many.
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

std::size_t room_of(rte_mempool* pool) {
    return rte_pktmbuf_data_room_size(pool) - RTE_PKTMBUF_HEADROOM;
}

void set_length(rte_mbuf& buffer, std::size_t octets) {
    buffer.data_len = static_cast<uint16_t>(octets);
    buffer.pkt_len = buffer.data_len;
}

Outgoing outgoing_of(const rte_mbuf& buffer) {
    const bool is_right = (buffer.ol_flags & checksum_is_right) != 0;
    return {.octets = {rte_pktmbuf_mtod(&buffer, const uint8_t*), buffer.data_len},
            .checksum = is_right ? offload::Checksum::right : offload::Checksum::unknown};
}

}  // namespace

tl::expected<std::unique_ptr<Interface>, std::string> Interface::open(
    const InterfaceRequest& request) {
    std::unique_ptr<Interface> interface(new Interface);
    auto fault = request.is_tap ? interface->open_tap(request) : interface->open_sockets(request);
    if (fault) return tl::unexpected(std::move(*fault));
    interface->whole_.resize(longest_segment);
    return interface;
}

std::optional<std::string> Interface::open_sockets(const InterfaceRequest& request) {
    const unsigned index = ::if_nametoindex(request.name.c_str());
    auto ring = ReceiveRing::open({.interface_index = index,
                                   .longest = request.longest,
                                   .places = request.rx_descriptors,
                                   .promiscuous = request.promiscuous});
    if (!ring) return std::move(ring.error());
    ring_ = std::move(*ring);
    if (!ring_->ignores_outgoing()) {
        notices_.push_back("frames that the host sends by " + request.name +
                           " are switched as well");
    }
    std::error_code unknown;
    const bool is_hardware =
        std::filesystem::exists("/sys/class/net/" + request.name + "/device", unknown);
    auto sender = Sender::open({.name = request.name,
                                .interface_index = index,
                                .longest = request.longest,
                                .frames = request.tx_descriptors,
                                .is_hardware = is_hardware,
                                .joins = what_it_joins(*nic::ethtool_settings(request.name))});
    if (!sender) return std::move(sender.error());
    sender_ = std::move(*sender);
    address_ = address_of(request.name);
    return std::nullopt;
}

// Its address is the host's own: the port has another.
std::optional<std::string> Interface::open_tap(const InterfaceRequest& request) {
    auto tap = Tap::open(request.name);
    if (!tap) return std::move(tap.error());
    tap_ = std::move(*tap);
    auto sender =
        Sender::open({.name = request.name,
                      .joins = {.tcp4 = true, .tcp6 = true, .udp = tap_->takes_udp_segments()},
                      .tap = tap_.get()});
    if (!sender) return std::move(sender.error());
    sender_ = std::move(*sender);
    return std::nullopt;
}

std::size_t Interface::receive(std::span<rte_mbuf*> buffers, rte_mempool* pool) {
    std::size_t filled = 0;
    while (filled < buffers.size()) {
        const std::span<rte_mbuf*> room = buffers.subspan(filled);
        if (cutting_) {
            const std::size_t more = go_on_cutting(room, pool);
            if (more == 0) return filled;
            filled += more;
            continue;
        }
        auto arrival = look();
        if (!arrival) return filled;
        if (arrival->left.segments != offload::Segments::none) {
            const Start start = start_cutting(*arrival, room_of(pool));
            if (start != Start::too_long) continue;
            arrival->is_whole = false;
        }
        if (!take_frame(*arrival, room.front(), pool)) return filled;
        give_back();
        ++filled;
    }
    return filled;
}

// Of one that is longer than its port's buffers as much as they hold: the switch counts it as what
// it is then, too long.
bool Interface::take_frame(const Arrival& arrival, rte_mbuf*& buffer, rte_mempool* pool) {
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

Interface::Start Interface::start_cutting(const Arrival& arrival, std::size_t room) {
    std::span<const uint8_t> octets = arrival.octets;
    if (!arrival.is_whole && arrival.can_be_had) {
        octets = std::span(whole_).first(std::min(ring_->read_whole(whole_), whole_.size()));
    }
    if (octets.size() != arrival.length) {
        unread_.add(1);
        give_back();
        return Start::gone;
    }
    std::array<uint8_t, offload::most_headers> front;
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
    segments_cut_.add(1);
    cutting_ = {.cut = *cut, .octets = octets, .tag_octets = added};
    return Start::cutting;
}

std::size_t Interface::go_on_cutting(std::span<rte_mbuf*> room, rte_mempool* pool) {
    const offload::Cut& cut = cutting_->cut;
    const std::size_t wanted = std::min(room.size(), cut.frames() - cutting_->next);
    std::size_t taken = raw_alloc_bulk(pool, room.first(wanted)) ? wanted : 0;
    if (taken == 0 && raw_alloc_bulk(pool, room.first(1))) taken = 1;  // there may be one
    for (rte_mbuf* const buffer : room.first(taken)) {
        const std::size_t number = cutting_->next++;
        const std::size_t payload = cut.payload_octets(number);
        const std::span<uint8_t> frame(rte_pktmbuf_mtod(buffer, uint8_t*),
                                       cut.header_octets() + payload);
        std::memcpy(&frame[cut.header_octets()],
                    &cutting_->octets[cut.payload_at(number) - cutting_->tag_octets], payload);
        cut.write_headers(number, frame);
        set_length(*buffer, frame.size());
        buffer->ol_flags |= checksum_is_right;
    }
    frames_cut_.add(taken);
    if (cutting_->next == cut.frames()) {
        cutting_.reset();
        give_back();
    }
    return taken;
}

std::size_t Interface::transmit(std::span<rte_mbuf*> frames) {
    gives_up_ = false;
    for (std::size_t taken = 0; taken < frames.size(); ++taken) {
        rte_mbuf* const frame = frames[taken];
        if (frame->data_len > longest_sent_) [[unlikely]] {
            flush();
            if (waiting_count_ > 0) return taken;
            if (transmit_now(frame)) continue;
            gives_up_ = sender_->gives_up();
            return taken;
        }
        if (waiting_count_ == waiting_.size()) {
            send_waiting();
            if (waiting_count_ == waiting_.size()) return taken;
        }
        waiting_[waiting_count_++] = frame;
    }
    return frames.size();
}

bool Interface::transmit_now(rte_mbuf* frame) {
    const Outgoing outgoing = outgoing_of(*frame);
    if (sender_->send({&outgoing, 1}) == 0) return false;
    longest_sent_ = std::max(longest_sent_, outgoing.octets.size());
    raw_free_bulk({&frame, 1});
    return true;
}

void Interface::send_waiting() {
    std::array<Outgoing, Sender::most_frames> burst;
    for (std::size_t n = 0; n < waiting_count_; ++n) burst[n] = outgoing_of(*waiting_[n]);
    std::size_t done = 0;
    while (done < waiting_count_) {
        done += sender_->send(std::span(burst).subspan(done, waiting_count_ - done));
        if (done == waiting_count_ || !sender_->gives_up()) break;
        refused_.add(1);
        longest_sent_ = std::min(longest_sent_, burst[done].octets.size() - 1);
        ++done;
    }
    raw_free_bulk(std::span(waiting_).first(done));
    std::copy(waiting_.begin() + static_cast<std::ptrdiff_t>(done),
              waiting_.begin() + static_cast<std::ptrdiff_t>(waiting_count_), waiting_.begin());
    waiting_count_ -= done;
}

Interface::~Interface() { raw_free_bulk(std::span(waiting_).first(waiting_count_)); }

Interface::Counts Interface::counts() {
    return {.missed = (tap_ ? tap_->missed() : ring_->missed()) + unread_.value(),
            .unusable = unusable_.value(),
            .refused = refused_.value(),
            .offloads = {.checksums_finished = checksums_finished_.value(),
                         .segments_cut = segments_cut_.value(),
                         .frames_cut = frames_cut_.value(),
                         .segments_joined = sender_->segments(),
                         .frames_joined = sender_->joined()}};
}

}  // namespace sluice::pmd::packet
