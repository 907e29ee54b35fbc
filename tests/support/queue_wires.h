// QueueWires: the wires of a switch whose ports have a receive and a transmit queue for each
// priority (dataplane/pfc/queue_backpressure.h), with the functions that poll.h calls, and the
// peers at their far ends.
//
// A queue holds `capacity` frames. A peer puts frames in until the queue is full, and takes them
// out when the test does. Every frame has a number; `left` lists the numbers that a port sent, by
// queue. Frames that the switch releases are counted.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dataplane/poll.h"
#include "tests/support/octets.h"

namespace sluice::test {

class QueueWires {
  public:
    struct Sent {
        Octets octets;
        uint32_t number = 0;
    };
    struct Left {
        uint32_t number;
        Priority priority;
    };

    explicit QueueWires(std::size_t ports, std::size_t capacity = 32)
        : capacity_(capacity), in_(ports), out_(ports) {}

    // --- called by the peers --------------------------------------------------------------------
    // Puts a frame into a receive queue. Returns false if the queue is full.
    bool put(PortIndex port, Priority queue, const FrameSpec& spec, uint32_t number) {
        auto& into = in_[port][queue];
        if (into.size() >= capacity_) return false;
        Sent& sent = *kept_.emplace_back(std::make_unique<Sent>());
        sent = {.octets = octets_of(spec), .number = number};
        into.push_back(&sent);
        return true;
    }
    // Puts octets such as a pause frame, unchanged, into a receive queue.
    void put_octets(PortIndex port, Priority queue, Octets octets) {
        Sent& sent = *kept_.emplace_back(std::make_unique<Sent>());
        sent.octets = std::move(octets);
        in_[port][queue].push_back(&sent);
    }
    // Takes up to `count` frames out of a transmit queue.
    std::vector<Left> take(PortIndex port, Priority queue, std::size_t count = SIZE_MAX) {
        auto& from = out_[port][queue];
        std::vector<Left> taken;
        for (; count > 0 && !from.empty(); --count) {
            taken.push_back(from.front());
            from.pop_front();
        }
        return taken;
    }
    [[nodiscard]] std::size_t waiting_in(PortIndex port, Priority queue) const {
        return in_[port][queue].size();
    }
    [[nodiscard]] std::size_t waiting_out(PortIndex port, Priority queue) const {
        return out_[port][queue].size();
    }

    // --- called by the switch -------------------------------------------------------------------
    [[nodiscard]] InputSet ready() const { return first_ports(in_.size()); }
    [[nodiscard]] PortSet writable() const { return first_ports(in_.size()); }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst) {
        return receive(from, burst, 0);
    }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst, PrioritySet stopped) {
        std::size_t count = 0;
        Priority& turn = turns_[from.port];
        for (std::size_t asked = 0; asked < max_priorities && count < burst.size(); ++asked) {
            const Priority queue = turn;
            turn = (turn + 1) % max_priorities;
            if ((stopped & only_priority(queue)) != 0) continue;
            auto& waiting = in_[from.port][queue];
            for (; count < burst.size() && !waiting.empty(); ++count) {
                Sent* const sent = waiting.front();
                waiting.pop_front();
                burst[count] = {};
                burst[count].handle = sent;
                burst[count].data = sent->octets.data();
                burst[count].length = static_cast<uint16_t>(sent->octets.size());
            }
        }
        return count;
    }
    std::size_t transmit(PortIndex port, std::span<const Frame> burst) {
        std::size_t taken = 0;
        for (const Frame& frame : burst) {
            auto& into = out_[port][frame.priority];
            if (into.size() >= capacity_) {
                ++refusals[port];
                break;
            }
            into.push_back({static_cast<const Sent*>(frame.handle)->number, frame.priority});
            ++taken;
        }
        return taken;
    }
    static std::size_t edit_tags(PortIndex, std::span<Frame> frames,
                                 const std::array<uint8_t, max_priorities>&) {
        return frames.size();
    }
    bool send(PortIndex, std::span<const uint8_t> octets) {
        if (read_16(&octets[12]) == mac_control_ether_type) ++pauses_sent;
        return true;
    }
    void release(Released& released) {
        freed += released.freed_count;
        released.clear();
    }
    void free(const Frame&) { ++freed; }

    std::map<PortIndex, int> refusals;
    std::size_t pauses_sent = 0;
    std::size_t freed = 0;  // frames that the switch freed, for any reason

  private:
    template <class Of>
    using Queues = std::array<std::deque<Of>, max_priorities>;

    const std::size_t capacity_;
    std::vector<Queues<Sent*>> in_;
    std::vector<Queues<Left>> out_;
    std::array<Priority, max_ports> turns_{};
    std::vector<std::unique_ptr<Sent>> kept_;
};

}  // namespace sluice::test
