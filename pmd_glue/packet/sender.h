// Sender: sends bursts of frames on one interface, one system call a burst, or to a TAP (tap.h).
//
// Consecutive frames of a flow in a burst are sent as one segment (offload/join.h) if the interface
// accepts segments; other frames are sent unchanged. A frame is sent from its buffer, without a
// copy by this process, and bypasses the kernel's traffic control. A frame that is not accepted
// stays with the caller; the reason decides what happens:
// - If the socket's memory is used up, or the device is full or down, the frame is tried again.
// - A frame that is too long for the interface (EMSGSIZE) is given up (`gives_up`), since it would
//   be refused forever.
// - A frame that a device other than hardware dropped (ENOBUFS) is tried again for 20 ms, since a
//   backlog may be full, and then given up. A veth returns ENOBUFS for a frame that is too long for
//   its peer's MTU. From then on frames of that length are given up at once, until one is sent.
// Bound: one system call a burst, and one more if a frame is refused; a burst without joinable
// frames costs a look at each frame's headers.
// Limit: kernels before 6.6 do not report that a veth dropped a frame.
#pragma once

#include <linux/if_packet.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>

#include "dataplane/offload/join.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "pmd_glue/nic/packet_socket.h"
#include "pmd_glue/packet/tap.h"
#include "pmd_glue/packet/virtio_header.h"

namespace sluice::pmd::packet {

struct Outgoing {
    std::span<const uint8_t> octets;
    offload::Checksum checksum = offload::Checksum::unknown;
};

class Sender {
  public:
    static constexpr std::size_t most_frames = 2 * max_burst;

    struct Request {
        std::string name;  // name of the interface
        unsigned interface_index = 0;
        std::size_t longest = 1522;  // longest frame
        unsigned frames = 1024;      // most frames in flight
        bool is_hardware = false;
        offload::Join::Kinds joins;
        const Tap* tap = nullptr;  // must outlive the sender; null for a packet socket
    };

    static tl::expected<std::unique_ptr<Sender>, std::string> open(const Request& request);

    // --- called by the worker -------------------------------------------------------------------
    // Returns how many of the frames (at most most_frames), from the first on, were accepted.
    std::size_t send(std::span<const Outgoing> burst);
    // Whether the interface can never accept the first frame that the last burst left, such as one
    // that is too long.
    [[nodiscard]] bool gives_up() const { return gives_up_; }

    // --- called by control ----------------------------------------------------------------------
    // Count the frames that were sent within segments, and those segments.
    [[nodiscard]] uint64_t joined() const { return joined_.value(); }
    [[nodiscard]] uint64_t segments() const { return segments_.value(); }

  private:
    // Frames of one message.
    struct Message {
        std::size_t first = 0;
        std::size_t frames = 1;
    };
    static constexpr unsigned refusals_until_single = 8;

    Sender() = default;
    void compose(std::span<const Outgoing> burst, bool joins);
    void add_single(const Outgoing& frame, std::size_t number);
    bool add_joined(std::span<const Outgoing> burst, std::size_t first);
    void count(std::size_t messages);
    bool will_never_go(int why, std::size_t octets);
    [[nodiscard]] std::optional<std::string> open_socket(const Request& request);
    int hand_over(std::span<mmsghdr> messages) const;

    nic::PacketSocket socket_;
    const Tap* tap_ = nullptr;  // used instead of `socket_`
    std::string name_;
    bool is_hardware_ = false;
    offload::Join::Kinds joins_;
    // Consecutive segments that were refused and sent as single frames.
    unsigned refused_segments_ = 0;
    bool gives_up_ = false;
    std::optional<std::chrono::steady_clock::time_point> refused_since_;
    std::size_t refused_from_ = SIZE_MAX;  // frames of at least this length are given up at once
    Counter joined_;
    Counter segments_;

    // The burst, in the form of sendmmsg.
    std::size_t messages_used_ = 0;
    std::size_t parts_used_ = 0;
    offload::Join join_;
    std::array<Message, most_frames> about_;
    std::array<mmsghdr, most_frames> messages_;
    std::array<iovec, 3 * most_frames> parts_;
    std::array<VirtioHeader, most_frames> virtio_;
    std::array<std::array<uint8_t, offload::most_headers>, most_frames> headers_;
};

}  // namespace sluice::pmd::packet
