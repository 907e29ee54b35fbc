// Devices: gives the poll of a worker (dataplane/poll.h) one interface to all its ports, and the
// pool for generated frames.
// A port number without a device receives nothing and accepts nothing. A tunnel counts as a port
// only while its underlay exists (tunnels.h).
// Bound: those of PortBursts, Pool and Tunnels; a generated frame is copied once.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>

#include "dataplane/poll.h"
#include "dataplane/switch.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/released.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port_bursts.h"
#include "pmd_glue/tunnels.h"

namespace sluice::pmd {

class Devices {
  public:
    explicit Devices(Pool& pool) : pool_(pool), tunnels_(pool) {}

    // Replaces ports and switch, which must outlive their use here. Called between polls.
    void use(const Ports& ports, const Switch& dataplane);

    // Returns all inputs, because only taking a burst shows whether a port has received frames.
    [[nodiscard]] InputSet ready() const { return inputs_; }
    [[nodiscard]] PortSet writable() const { return writable_; }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst) {
        if ((with_tunnels_ & only(from.port)) != 0) [[unlikely]]
            return tunnels_.receive(from.port, burst);
        assert(ports_[from.port] != nullptr);
        return ports_[from.port]->receive(burst, from.lane);
    }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst, PrioritySet stopped) {
        return ports_[from.port]->receive_but(stopped, burst);
    }
    [[nodiscard]] bool holds_back(const ReceiveQueue& from) const {
        return ports_[from.port] != nullptr && ports_[from.port]->holds_back();
    }
    std::size_t transmit(PortIndex port, std::span<const Frame> burst) {
        if ((with_tunnels_ & only(port)) != 0 && tunnels_.is_tunnel(port)) [[unlikely]]
            return tunnels_.transmit(port, burst);
        assert(ports_[port] != nullptr);
        return ports_[port]->transmit(burst);
    }
    [[nodiscard]] bool gives_up(PortIndex port) const {
        return tunnels_.is_tunnel(port) ? tunnels_.gives_up(port) : ports_[port]->gives_up();
    }
    template <class Blocked>
    void flush(PortSet own, Blocked blocked) {
        for_each_port(flushed_ & own, [&](PortIndex port) {
            if ((tunnels_.to_many() & only(port)) == 0) return ports_[port]->flush();
            tunnels_.go_on(port, tunnels_.floods(port) ? blocked(port) : PrioritySet{0});
        });
    }
    // Whether a frame that the switch sent waits here for its device.
    [[nodiscard]] bool hold_frames() const { return tunnels_.any_floods(); }
    std::size_t edit_tags(PortIndex, std::span<Frame> frames, const Pool::Pcps& pcps) {
        return pool_.edit_tags(frames, pcps);
    }
    [[nodiscard]] PortSet share_devices() const { return with_tunnels_; }
    // Whether no frame waits here for the switch or for a device.
    [[nodiscard]] bool at_rest() const { return !tunnels_.keep_any() && !hold_frames(); }
    [[nodiscard]] bool are_to_age() const { return tunnels_.are_to_age(); }
    bool send(PortIndex port, std::span<const uint8_t> octets);
    bool send_in_order(PortIndex port, std::span<const uint8_t> octets, Priority priority);
    void release(Released& released) { pool_.apply(released); }
    void free(const Frame& frame);
    void keep_part(Frame& frame, std::size_t from, std::size_t count) {
        Pool::keep_part(frame, static_cast<uint16_t>(from), static_cast<uint16_t>(count));
    }
    bool put_in_front(Frame& frame, std::size_t octets) {
        return pool_.put_in_front(frame, static_cast<uint16_t>(octets));
    }
    static void take_from_front(const Frame& frame, std::size_t octets) {
        Pool::take_from_front(frame, static_cast<uint16_t>(octets));
    }
    // Frees the frames that are kept here. Called after the last poll.
    void free_own();

  private:
    // Whether there is a buffer of `length` for generated frames of a port.
    bool has_spare(PortIndex port, uint16_t length);
    void spend_spare(PortIndex port);
    bool send_to_many(PortIndex port, std::span<const uint8_t> octets);

    Ports ports_{};
    InputSet inputs_ = 0;
    PortSet writable_ = 0;
    // Ports whose devices send at the end of a poll, and tunnels that flood to many ends.
    PortSet flushed_ = 0;
    PortSet with_retry_ = 0;
    PortSet with_tunnels_ = 0;  // tunnels, and the ports below them
    Pool& pool_;
    Tunnels tunnels_;
    // The buffer of a generated frame that the device refused. The next one is written into the
    // same buffer, so that a pause frame that got a buffer in a crowded pool does not lose the
    // buffer. A port with retry always keeps a buffer here, because frames that wait to be resent
    // may hold all others.
    std::array<Frame, max_ports> spare_{};
};

}  // namespace sluice::pmd
