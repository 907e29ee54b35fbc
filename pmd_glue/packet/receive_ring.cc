#include "pmd_glue/packet/receive_ring.h"

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstring>
#include <utility>

#include "pmd_glue/packet/fanout.h"
#include "pmd_glue/packet/virtio_header.h"

namespace sluice::pmd::packet {
namespace {

// Octets that the kernel writes before a frame: its own header, the sender's address, and padding
// after the MAC header.
constexpr std::size_t in_front = sizeof(tpacket2_hdr) + sizeof(sockaddr_ll) +
                                 std::size_t{2} * TPACKET_ALIGNMENT + sizeof(VirtioHeader);
static_assert(sizeof(tpacket2_hdr) % TPACKET_ALIGNMENT == 0);
constexpr std::size_t block = std::size_t{256} * 1024;
constexpr std::size_t cache_line = 64;
// Room for segments that wait to be read; the kernel charges some 1.3 octets for each octet.
constexpr int queue_octets = 4 * 1024 * 1024;

// Returns the length of a slot: an odd number of cache lines, so that the first lines of frames are
// spread over the cache sets.
std::size_t octets_of_place(std::size_t longest) {
    return ((in_front + longest + cache_line - 1) / cache_line | 1U) * cache_line;
}

uint32_t status_of(uint8_t* place) {
    return std::atomic_ref(reinterpret_cast<tpacket2_hdr*>(place)->tp_status)
        .load(std::memory_order_acquire);
}

uint32_t tag_of(const tpacket2_hdr& header) {
    if ((header.tp_status & TP_STATUS_VLAN_VALID) == 0) return 0;
    const bool has_type = (header.tp_status & TP_STATUS_VLAN_TPID_VALID) != 0;
    const uint32_t type = has_type ? header.tp_vlan_tpid : uint32_t{ETH_P_8021Q};
    return type << 16 | header.tp_vlan_tci;
}

}  // namespace

tl::expected<std::unique_ptr<ReceiveRing>, std::string> ReceiveRing::open(const Request& request) {
    std::unique_ptr<ReceiveRing> ring(new ReceiveRing);
    if (auto fault = ring->set_up(request)) return tl::unexpected(std::move(*fault));
    return ring;
}

// Binds the socket last: only then does it receive frames, and only of this interface.
std::optional<std::string> ReceiveRing::set_up(const Request& request) {
    socket_ = nic::PacketSocket::open();
    if (!socket_.is_open()) return nic::refused("a packet socket");
    const int yes = 1;
    const int version = TPACKET_V2;
    if (!socket_.set(SOL_PACKET, PACKET_VERSION, version)) return nic::refused("TPACKET_V2");
    if (!socket_.set(SOL_PACKET, PACKET_VNET_HDR, yes)) return nic::refused("PACKET_VNET_HDR");
    if (!socket_.set(SOL_PACKET, PACKET_COPY_THRESH, yes))
        return nic::refused("PACKET_COPY_THRESH");
    ignores_outgoing_ = socket_.set(SOL_PACKET, PACKET_IGNORE_OUTGOING, yes);
    if (!socket_.set(SOL_SOCKET, SO_RCVBUFFORCE, queue_octets)) {
        (void)socket_.set(SOL_SOCKET, SO_RCVBUF, queue_octets);
    }
    place_octets_ = octets_of_place(request.longest);
    block_octets_ = std::max(block, (place_octets_ + 4095) / 4096 * 4096);
    per_block_ = block_octets_ / place_octets_;
    const std::size_t blocks = (request.places + per_block_ - 1) / per_block_;
    places_ = blocks * per_block_;
    const tpacket_req layout{.tp_block_size = static_cast<unsigned>(block_octets_),
                             .tp_block_nr = static_cast<unsigned>(blocks),
                             .tp_frame_size = static_cast<unsigned>(place_octets_),
                             .tp_frame_nr = static_cast<unsigned>(places_)};
    if (!socket_.set(SOL_PACKET, PACKET_RX_RING, layout)) {
        return nic::refused("memory for its receive ring");
    }
    octets_ = blocks * block_octets_;
    void* const memory =
        ::mmap(nullptr, octets_, PROT_READ | PROT_WRITE, MAP_SHARED, socket_.number(), 0);
    if (memory == MAP_FAILED) return nic::refused("to map its receive ring");
    memory_ = static_cast<uint8_t*>(memory);
    at_ = place(0);
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(ETH_P_ALL);
    address.sll_ifindex = static_cast<int>(request.interface_index);
    group_ = request.group;
    if (group_ && !close_until_joined(socket_)) return nic::refused("a filter");
    if (::bind(socket_.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        return nic::refused("to bind to the interface");
    }
    if (request.begins_group) group_ = begin_fanout(socket_);
    if ((request.begins_group && !group_) || (request.group && !join_fanout(socket_, *group_))) {
        return nic::refused("PACKET_FANOUT for several queues");
    }
    ignores_outgoing_ = ignores_outgoing_ || group_;
    packet_mreq all{};
    all.mr_ifindex = address.sll_ifindex;
    all.mr_type = PACKET_MR_PROMISC;
    promiscuous_ = request.promiscuous && socket_.set(SOL_PACKET, PACKET_ADD_MEMBERSHIP, all);
    return std::nullopt;
}

ReceiveRing::~ReceiveRing() {
    if (memory_ != nullptr) ::munmap(memory_, octets_);
}

std::optional<Arrival> ReceiveRing::look() {
    const uint32_t status = status_of(at_);
    if ((status & TP_STATUS_USER) == 0) return std::nullopt;
    const auto& header = *reinterpret_cast<const tpacket2_hdr*>(at_);
    Arrival arrival;
    arrival.octets = {at_ + header.tp_mac, header.tp_snaplen};
    arrival.length = header.tp_len;
    arrival.tag = tag_of(header);
    arrival.is_whole = header.tp_snaplen == header.tp_len;
    waits_apart_ = (status & TP_STATUS_COPY) != 0;
    arrival.can_be_had = arrival.is_whole || waits_apart_;
    VirtioHeader left{};
    std::memcpy(&left, at_ + header.tp_mac - sizeof left, sizeof left);
    arrival.left = unfinished_of(left);
    return arrival;
}

std::size_t ReceiveRing::read_whole(std::span<uint8_t> room) {
    if (!std::exchange(waits_apart_, false)) return 0;
    VirtioHeader left{};
    std::array<iovec, 2> parts{iovec{&left, sizeof left}, iovec{room.data(), room.size()}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    const ssize_t octets = ::recvmsg(socket_.number(), &message, MSG_DONTWAIT);
    const auto before = static_cast<ssize_t>(sizeof left);
    return octets > before ? static_cast<std::size_t>(octets - before) : 0;
}

// Unread segments are discarded, so that the socket's queue stays in step with the ring.
void ReceiveRing::give_back() {
    if (waits_apart_) read_whole({});
    std::atomic_ref(reinterpret_cast<tpacket2_hdr*>(at_)->tp_status)
        .store(TP_STATUS_KERNEL, std::memory_order_release);
    assert(next_ < places_);
    if (++next_ == places_) next_ = 0;
    at_ = place(next_);
}

uint64_t ReceiveRing::missed() {
    tpacket_stats packets{};
    socklen_t size = sizeof packets;
    if (::getsockopt(socket_.number(), SOL_PACKET, PACKET_STATISTICS, &packets, &size) == 0) {
        missed_ += packets.tp_drops;
    }
    return missed_;
}

}  // namespace sluice::pmd::packet
