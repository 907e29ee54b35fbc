// Link: sends and receives a station's frames, so that senders and receivers need no driver and
// tests need no device. Called once a burst, so virtual calls are acceptable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/types/frame.h"

namespace sluice::gen {

// Less than a port sends or receives at once (max_burst), so that a receiver keeps up with a
// sender.
inline constexpr std::size_t burst_frames = 48;

class Link {
  public:
    virtual ~Link() = default;

    // Buffers with room for `length` octets each, which becomes their length. All or none.
    virtual bool allocate(std::span<Frame> frames, uint16_t length) = 0;
    // Sends frames. Returns how many of the first the device took; the others remain the caller's.
    virtual std::size_t transmit(std::span<const Frame> frames) = 0;
    virtual std::size_t receive(std::span<Frame> frames) = 0;
    virtual void release(std::span<const Frame> frames) = 0;
};

}  // namespace sluice::gen
