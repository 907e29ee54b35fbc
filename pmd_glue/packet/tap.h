// Tap: a TAP interface that this process creates. It connects the machine itself as a host, or
// another network namespace if the interface is moved there. Frames are read and written through
// its descriptor, which works in any namespace.
//
// Each frame has a virtio header (IFF_VNET_HDR), so that the host leaves checksums and segmentation
// to the switch, and accepts whole segments. Tags are within the frames.
// Bound: one system call a frame in each direction, and one for a poll that finds no frame.
// Limits: the host's kernel drops frames when the interface's queue is full (`missed`, as long as
// the interface is in this process's namespace). The destructor removes the interface.
// Source: Documentation/networking/tuntap.rst; linux/if_tun.h.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>

#include "pmd_glue/file_descriptor.h"
#include "pmd_glue/packet/arrival.h"

namespace sluice::pmd::packet {

class Tap {
  public:
    // Makes the interface, and sets it up.
    static tl::expected<std::unique_ptr<Tap>, std::string> open(const std::string& name);

    // --- called by the worker that receives -----------------------------------------------------
    // Returns the next frame, which stays the next until `give_back`.
    std::optional<Arrival> look();
    void give_back() { octets_ = 0; }

    // --- called by the worker that sends --------------------------------------------------------
    // Works like sendmmsg: returns how many messages were sent, or -1 and errno if none was.
    int send(std::span<const mmsghdr> messages) const;

    // --- called by control ----------------------------------------------------------------------
    [[nodiscard]] int descriptor() const { return descriptor_.number(); }
    // Whether the TAP accepts UDP segments.
    [[nodiscard]] bool takes_udp_segments() const { return takes_udp_segments_; }
    // Returns whether the TAP exists, in any network namespace.
    [[nodiscard]] bool exists() const;
    [[nodiscard]] bool is_up() const;
    // Sets the carrier that the host sees. Returns false if the kernel refused.
    bool set_carrier(bool on);
    [[nodiscard]] uint64_t missed();

  private:
    static constexpr std::size_t longest_segment = 65536 + 256;

    Tap() = default;
    std::optional<std::string> set_up(const std::string& name);

    FileDescriptor descriptor_;
    std::string name_;
    bool takes_udp_segments_ = false;
    bool has_carrier_ = true;
    uint64_t missed_ = 0;
    std::size_t octets_ = 0;  // octets of the next frame; 0 if none was read
    offload::Unfinished left_;
    std::array<uint8_t, longest_segment> frame_;
};

}  // namespace sluice::pmd::packet
