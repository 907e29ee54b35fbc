// Devices: the ports of a switch as one worker polls them (dataplane/poll.h), and the pool that it
// makes frames from.
// Where there is no port nothing is received, and nothing is taken.
// Bound: what Port and Pool say of themselves; a frame that is made here is copied once.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dataplane/frame.h"
#include "dataplane/poll.h"
#include "dataplane/released.h"
#include "dataplane/switch.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"

namespace sluice::pmd {

// By PortIndex; null where there is none.
using Ports = std::array<Port*, max_ports>;

class Devices {
  public:
    explicit Devices(Pool& pool) : pool_(pool) {}

    // Between polls: these from now on, which outlive that.
    void use(const Ports& ports, const Switch& dataplane);

    // Any may have received something: a device is asked by taking a burst.
    [[nodiscard]] InputSet ready() const { return inputs_; }
    [[nodiscard]] PortSet writable() const { return writable_; }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst) {
        return ports_[from.port]->receive(burst, from.lane);
    }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst, PrioritySet stopped) {
        return ports_[from.port]->receive_but(stopped, burst);
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
    Ports ports_{};
    InputSet inputs_ = 0;
    PortSet writable_ = 0;
    Pool& pool_;
    // A port's frame that the device refused: the next one is written into its buffer, so that a
    // pause frame that has got one in a crowded pool does not lose it.
    std::array<Frame, max_ports> spare_{};
};

}  // namespace sluice::pmd
