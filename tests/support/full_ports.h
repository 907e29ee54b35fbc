// FullPorts: the wires of a switch in an open loop, as poll.h asks for them: inputs at which a full
// burst always waits, and outputs that take whatever they are given. Nobody waits for anybody: a
// frame that the switch has no room for is lost. For property tests and the bench `saturation`.
//
// Each input sends the same frames over and over: to each other port alike, in an order that is
// drawn, with lengths and priorities out of `mix`. What the octets hold beyond the headers nobody
// looks at, so that 9,216 of them cost the wires no more than 14.
// Bound: an input and its output cost a copy of 24 octets a frame. No buffers: what is dropped or
// sent needs nobody to free it. One worker at a time calls what is about its own ports.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dataplane/poll.h"
#include "dataplane/types/address.h"
#include "dataplane/types/random.h"
#include "dataplane/types/settings.h"

namespace sluice::test {

// The frames that the inputs send.
struct FullMix {
    std::vector<uint16_t> lengths = {60};  // alike; below 18 octets a frame has no tag
    std::size_t priorities = 1;            // 1: priority 3; else so many, alike, from 0 on
    // Whom an input sends to: each other port alike, drawn; the port after it alone; the first.
    enum class Pattern : uint8_t { uniform, neighbour, incast } pattern = Pattern::uniform;
};
// Simple IMIX: 7 of 64, 4 of 594 and 1 of 1518 octets, FCS counted.
inline std::vector<uint16_t> imix() {
    return {60, 60, 60, 60, 60, 60, 60, 590, 590, 590, 590, 1514};
}

class FullPorts {
  public:
    FullPorts(std::size_t ports, const FullMix& mix, uint64_t seed) : wires_(ports) {
        Random random(seed);
        for (PortIndex port = 0; port < ports; ++port) fill(port, mix, random);
    }

    static MacAddress address(unsigned port) { return {uint64_t{0x0200'0000'0100} + port}; }
    // Settings of so many ports; a static entry for each address that frames go to.
    static Settings settings_of(std::size_t ports, uint8_t workers, const FullMix& mix) {
        Settings settings;
        settings.workers = workers;
        settings.ports.resize(ports);
        settings.fdb.capacity = 256;
        const uint16_t longest = *std::ranges::max_element(mix.lengths);
        for (PortIndex port = 0; port < ports; ++port) {
            settings.ports[port].worker = static_cast<WorkerIndex>(port % workers);
            settings.ports[port].max_frame =
                std::max(settings.ports[port].max_frame, Bytes(longest));
            settings.fdb.static_entries.push_back(
                {.vlan = 1, .address = address(port), .port = port});
        }
        settings.fabric.quantum = std::max(settings.fabric.quantum, Bytes(longest));
        return settings;
    }

    // --- as poll.h asks for them ----------------------------------------------------------------
    [[nodiscard]] static InputSet ready() { return ~InputSet{0}; }
    [[nodiscard]] static PortSet writable() { return ~PortSet{0}; }
    [[nodiscard]] static bool is_writable(PortIndex) { return true; }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst) {
        Wire& wire = wires_[from.port];
        burst = burst.first(std::min(burst.size(), offered_));
        for (Frame& frame : burst) {
            frame = wire.frames[wire.next++ % frames_of_an_input];
            frame.handle = reinterpret_cast<void*>(static_cast<uintptr_t>(++wire.received));
            __builtin_prefetch(frame.data);
        }
        return burst.size();
    }
    std::size_t transmit(PortIndex port, std::span<const Frame> burst) {
        Wire& wire = wires_[port];
        for (const Frame& frame : burst) {
            uint64_t& last = wire.last[frame.input][frame.priority];
            const auto number = reinterpret_cast<uintptr_t>(frame.handle);
            wire.disordered += static_cast<uint64_t>(number <= last);
            last = number;
        }
        wire.sent += burst.size();
        return burst.size();
    }
    static std::size_t edit_tags(PortIndex, std::span<Frame> frames,
                                 const std::array<uint8_t, max_priorities>&) {
        return frames.size();
    }
    static bool send(PortIndex, std::span<const uint8_t>) { return true; }
    static void release(Released& released) { released.clear(); }
    static void free(const Frame&) {}

    // --- by whom it is for ----------------------------------------------------------------------
    // How many frames wait at each input at a time.
    void offer(std::size_t frames) { offered_ = frames; }
    [[nodiscard]] uint64_t received() const { return sum_of(&Wire::received); }
    [[nodiscard]] uint64_t sent() const { return sum_of(&Wire::sent); }
    // Frames that left behind a later one of their (input, output, priority).
    [[nodiscard]] uint64_t disordered() const { return sum_of(&Wire::disordered); }

  private:
    static constexpr std::size_t frames_of_an_input = 512;
    static constexpr std::size_t octets_of_a_frame = 64;  // that are there

    // The receive and transmit side of a port.
    struct alignas(64) Wire {
        std::vector<Frame> frames;
        std::vector<std::array<uint8_t, octets_of_a_frame>> octets;
        std::size_t next = 0;
        uint64_t received = 0;
        uint64_t sent = 0;
        uint64_t disordered = 0;
        std::array<std::array<uint64_t, max_priorities>, max_ports> last{};  // by input
    };

    void fill(PortIndex port, const FullMix& mix, Random& random) {
        Wire& wire = wires_[port];
        wire.frames.resize(frames_of_an_input);
        wire.octets.resize(frames_of_an_input);
        const auto draw = [&](std::size_t below) { return random.next() % below; };
        for (std::size_t n = 0; n < frames_of_an_input; ++n) {
            const std::size_t from_here =
                mix.pattern == FullMix::Pattern::uniform ? draw(wires_.size() - 1) + 1
                : mix.pattern == FullMix::Pattern::neighbour || port == 0 ? 1
                                                                          : wires_.size() - port;
            const auto to = static_cast<PortIndex>((port + from_here) % wires_.size());
            auto& octets = wire.octets[n];
            octets = {};
            write_address(octets.data(), address(to));
            write_address(&octets[6], address(port));
            Frame& frame = wire.frames[n];
            frame = {};
            frame.data = octets.data();
            frame.length = mix.lengths[draw(mix.lengths.size())];
            std::size_t type_at = 12;
            if (frame.length >= 18) {
                const std::size_t priority = mix.priorities == 1 ? 3 : draw(mix.priorities);
                write_16(&octets[12], 0x8100);
                write_16(&octets[14], static_cast<uint16_t>(priority << 13 | 1));
                type_at = 16;
            }
            write_16(&octets[type_at], 0x88B5);  // for local experiments: nobody looks further
        }
    }
    [[nodiscard]] uint64_t sum_of(uint64_t Wire::*count) const {
        uint64_t sum = 0;
        for (const Wire& wire : wires_) sum += wire.*count;
        return sum;
    }

    std::vector<Wire> wires_;
    std::size_t offered_ = max_burst;
};

// A switch and its full ports, polled in turn: no worker is a poll ahead of another.
class Saturated {
  public:
    Saturated(const Settings& settings, const FullMix& mix, std::size_t burst, uint64_t seed = 1)
        : dataplane(settings), ports(settings.ports.size(), mix, seed) {
        for (PortIndex port = 0; port < settings.ports.size(); ++port) {
            dataplane.set_link(port, true);
        }
        for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
            polls_.emplace_back(dataplane, dataplane.shard(worker), ports, burst);
        }
        slots_ = settings.fabric.slots;
        // Each output sends a few frames first, so that flows bypass VOQs.
        ports.offer(1);
        for (int n = 0; n < 64; ++n) poll();
        ports.offer(max_burst);
    }
    void poll() {
        now_ += Nanos(1000);
        for (auto& poll : polls_) poll(now_, slots_);
    }
    // Runs until no frame waits; false: some frame waits for ever.
    bool drain() {
        ports.offer(0);
        for (int n = 0; n < 10'000 && !dataplane.empty(); ++n) poll();
        return dataplane.empty();
    }

    Switch dataplane;
    FullPorts ports;

  private:
    std::vector<Poll<FullPorts>> polls_;
    int slots_ = 1;
    Nanos now_{1};
};

}  // namespace sluice::test
