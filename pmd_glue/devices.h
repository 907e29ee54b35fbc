// Devices: the ports of a switch as one worker polls them (dataplane/poll.h), and the pool that it
// makes frames from.
// Bound: what Port and Pool say of themselves; a frame that is made here is copied once.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dataplane/frame.h"
#include "dataplane/poll.h"
#include "dataplane/released.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"

namespace sluice::pmd {

class Devices {
  public:
    // `ports` by PortIndex. All outlive this.
    Devices(std::span<Port* const> ports, Pool& pool) : ports_(ports), pool_(pool) {}

    // Any may have received something: a device is asked by taking a burst.
    [[nodiscard]] static InputSet ready() { return ~InputSet{0}; }
    [[nodiscard]] static PortSet writable() { return ~PortSet{0}; }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst) {
        return ports_[from.port]->receive(burst, from.lane);
    }
    std::size_t transmit(PortIndex port, std::span<const Frame> burst) {
        return ports_[port]->transmit(burst);
    }
    std::size_t edit_tags(PortIndex, std::span<Frame> frames, const Pool::Pcps& pcps) {
        return pool_.edit_tags(frames, pcps);
    }
    bool send(PortIndex port, std::span<const uint8_t> octets);
    void release(Released& released) { pool_.apply(released); }
    void free(const Frame& frame);
    // After the last poll.
    void free_spares();

  private:
    std::span<Port* const> ports_;
    Pool& pool_;
    // A port's frame that the device refused: the next one is written into its buffer, so that a
    // pause frame that has got one in a crowded pool does not lose it.
    std::array<Frame, max_ports> spare_{};
};

}  // namespace sluice::pmd
