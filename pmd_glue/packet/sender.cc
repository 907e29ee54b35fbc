#include "pmd_glue/packet/sender.h"

#include <sys/uio.h>

#include <cassert>
#include <cerrno>
#include <cstring>

#include "pmd_glue/kernel_interface.h"

namespace sluice::pmd::packet {
namespace {

constexpr VirtioHeader nothing_left{};
constexpr std::chrono::milliseconds patience(20);
// Octets that the kernel charges for a frame in addition to its length, including rounding.
constexpr std::size_t beside_a_frame = 1024;

iovec part(const void* octets, std::size_t size) { return {const_cast<void*>(octets), size}; }

}  // namespace

tl::expected<std::unique_ptr<Sender>, std::string> Sender::open(const Request& request) {
    std::unique_ptr<Sender> sender(new Sender);
    if (request.tap == nullptr) {
        if (auto fault = sender->open_socket(request)) return tl::unexpected(std::move(*fault));
    }
    sender->tap_ = request.tap;
    sender->name_ = request.name;
    sender->is_hardware_ = request.is_hardware;
    sender->joins_ = request.joins;
    sender->messages_ = {};
    return sender;
}

std::optional<std::string> Sender::open_socket(const Request& request) {
    socket_ = nic::PacketSocket::open();
    if (!socket_.is_open()) return nic::refused("a packet socket");
    const int yes = 1;
    if (!socket_.set(SOL_PACKET, PACKET_VNET_HDR, yes)) return nic::refused("PACKET_VNET_HDR");
    (void)socket_.set(SOL_PACKET, PACKET_QDISC_BYPASS, yes);
    // The kernel doubles the value of SO_SNDBUF.
    const int octets = static_cast<int>(request.frames * (request.longest + beside_a_frame) / 2);
    if (!socket_.set(SOL_SOCKET, SO_SNDBUFFORCE, octets)) {
        (void)socket_.set(SOL_SOCKET, SO_SNDBUF, octets);
    }
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;  // sll_protocol is 0: the socket receives nothing
    address.sll_ifindex = static_cast<int>(request.interface_index);
    if (::bind(socket_.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        return nic::refused("to bind to the interface");
    }
    return std::nullopt;
}

int Sender::hand_over(std::span<mmsghdr> messages) const {
    if (tap_ != nullptr) return tap_->send(messages);
    return ::sendmmsg(socket_.number(), messages.data(), static_cast<unsigned>(messages.size()),
                      MSG_DONTWAIT);
}

void Sender::add_single(const Outgoing& frame, std::size_t number) {
    assert(messages_used_ < messages_.size() && parts_used_ + 2 <= parts_.size());
    iovec* const parts = &parts_[parts_used_];
    parts[0] = part(&nothing_left, sizeof nothing_left);
    parts[1] = part(frame.octets.data(), frame.octets.size());
    parts_used_ += 2;
    messages_[messages_used_].msg_hdr = {.msg_iov = parts, .msg_iovlen = 2};
    about_[messages_used_++] = {.first = number, .frames = 1};
}

// Joins the frames that can follow the first into one segment. Returns false if none can.
bool Sender::add_joined(std::span<const Outgoing> burst, std::size_t first) {
    if (!join_.start(burst[first].octets, burst[first].checksum, joins_)) return false;
    std::size_t end = first + 1;
    while (end < burst.size() && join_.add(burst[end].octets, burst[end].checksum)) ++end;
    if (join_.frames() == 1) return false;
    offload::Unfinished left;
    const auto headers = join_.finish(left);
    uint8_t* const kept = headers_[messages_used_].data();
    std::memcpy(kept, headers.data(), headers.size());
    VirtioHeader& virtio = virtio_[messages_used_];
    virtio = virtio_header_of(left, headers.size());
    iovec* const parts = &parts_[parts_used_];
    std::size_t used = 0;
    parts[used++] = part(&virtio, sizeof virtio);
    parts[used++] = part(kept, headers.size());
    for (const Outgoing& frame : burst.subspan(first, end - first)) {
        const auto payload = frame.octets.subspan(headers.size());
        parts[used++] = part(payload.data(), payload.size());
    }
    parts_used_ += used;
    assert(messages_used_ < messages_.size() && parts_used_ <= parts_.size());
    messages_[messages_used_].msg_hdr = {.msg_iov = parts, .msg_iovlen = used};
    about_[messages_used_++] = {.first = first, .frames = end - first};
    return true;
}

void Sender::compose(std::span<const Outgoing> burst, bool joins) {
    messages_used_ = parts_used_ = 0;
    for (std::size_t number = 0; number < burst.size();) {
        if (!joins || !add_joined(burst, number)) add_single(burst[number], number);
        number += about_[messages_used_ - 1].frames;
    }
}

void Sender::count(std::size_t messages) {
    for (std::size_t message = 0; message < messages; ++message) {
        if (about_[message].frames == 1) continue;
        joined_.add(about_[message].frames);
        segments_.add(1);
        refused_segments_ = 0;
    }
}

std::size_t Sender::send(std::span<const Outgoing> burst) {
    gives_up_ = false;
    compose(burst, joins_.any());
    std::size_t sent = 0;
    while (sent < burst.size()) {
        const int result = hand_over(std::span(messages_).first(messages_used_));
        if (result > 0) {
            const auto done = static_cast<std::size_t>(result);
            assert(done <= messages_used_);
            count(done);
            refused_since_.reset();
            const std::size_t taken = about_[done - 1].first + about_[done - 1].frames;
            for (const Outgoing& frame : burst.subspan(sent, taken)) {
                if (frame.octets.size() >= refused_from_) refused_from_ = SIZE_MAX;
            }
            sent += taken;
            compose(burst.subspan(sent), joins_.any());
            continue;
        }
        const int why = errno;
        if (why == EAGAIN) return sent;
        if (about_[0].frames > 1) {
            // The interface may accept no segments after all: the segment's frames are sent one by
            // one.
            if (++refused_segments_ == refusals_until_single) joins_ = {};
            compose(burst.subspan(sent), false);
            continue;
        }
        gives_up_ = will_never_go(why, burst[sent].octets.size());
        return sent;
    }
    return sent;
}

bool Sender::will_never_go(int why, std::size_t octets) {
    if (why == EMSGSIZE || why == EINVAL) return true;
    // Without a carrier the kernel returns ENOBUFS for every frame, so a frame is given up only if
    // the interface is up.
    if (why != ENOBUFS || is_hardware_) return false;
    if (octets >= refused_from_) return interface_state(name_).up;
    const auto now = std::chrono::steady_clock::now();
    if (!refused_since_) refused_since_ = now;
    if (now - *refused_since_ < patience) return false;
    refused_since_.reset();
    if (!interface_state(name_).up) return false;
    refused_from_ = octets;
    return true;
}

}  // namespace sluice::pmd::packet
