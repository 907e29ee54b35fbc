// Link: sends and receives a station's frames, so that senders and receivers need no driver and
// tests need no device. Called once a burst, so virtual calls are acceptable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/types/frame.h"

namespace sluice::gen {

// Frames of a sender's burst: less than max_burst, which a port can receive at once, so that a
// receiver keeps up with a sender.
inline constexpr std::size_t burst_frames = 48;

class Link {
  public:
    virtual ~Link() = default;

    // Allocates buffers with room for `length` octets each, and sets the frames' length. Returns
    // false, without buffers, if there are too few.
    virtual bool allocate(std::span<Frame> frames, uint16_t length) = 0;
    // Sends frames. Returns how many the device accepted, from the first on; the others remain the
    // caller's.
    virtual std::size_t transmit(std::span<const Frame> frames) = 0;
    virtual std::size_t receive(std::span<Frame> frames) = 0;
    virtual void release(std::span<const Frame> frames) = 0;
};

}  // namespace sluice::gen
