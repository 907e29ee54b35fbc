// FullPorts: the wires of a switch in an open loop, with the functions that poll.h calls: inputs
// that always have a full burst, and outputs that accept every frame. There is no back-pressure: a
// frame that finds no room in the switch is lost. For property tests and the bench `saturation`.
//
// Each input sends the same frames again and again, to every other port equally often, in random
// order, with lengths and priorities of `mix`. Octets after the headers are not read, so a frame of
// 9,216 octets costs the wires no more than one of 14.
// Bound: an input and its output cost a copy of 24 octets a frame. There are no buffers, so no
// frame is freed. Only one worker at a time calls the functions of its own ports.
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
    std::vector<uint16_t> lengths = {60};  // equally often; below 18 octets a frame has no tag
    std::size_t priorities = 1;            // 1: priority 3; n: 0 to n-1, equally often
    // The destination of an input's frames: every other port, at random; the next port; the first
    // port.
    enum class Pattern : uint8_t { uniform, neighbour, incast } pattern = Pattern::uniform;
};
// Returns the lengths of simple IMIX: 7 of 64, 4 of 594 and 1 of 1518 octets, with FCS.
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
    // Returns settings with `ports` ports, and a static entry for each destination address.
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

    // --- called by poll.h -----------------------------------------------------------------------
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

    // --- called by the test ---------------------------------------------------------------------
    // Sets the number of frames that each input has at a time.
    void offer(std::size_t frames) { offered_ = frames; }
    [[nodiscard]] uint64_t received() const { return sum_of(&Wire::received); }
    [[nodiscard]] uint64_t sent() const { return sum_of(&Wire::sent); }
    // Returns the number of frames that were sent after a later one of their (input, output,
    // priority).
    [[nodiscard]] uint64_t disordered() const { return sum_of(&Wire::disordered); }

  private:
    static constexpr std::size_t frames_of_an_input = 512;
    static constexpr std::size_t octets_of_a_frame = 64;  // octets that are kept of a frame

    // The receive and transmit side of a port.
    struct alignas(64) Wire {
        std::vector<Frame> frames;
        std::vector<std::array<uint8_t, octets_of_a_frame>> octets;
        std::size_t next = 0;
        uint64_t received = 0;
        uint64_t sent = 0;
        uint64_t disordered = 0;
        // Numbers of the last frames, by input and priority.
        std::array<std::array<uint64_t, max_priorities>, max_ports> last{};
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
            write_16(&octets[type_at], 0x88B5);  // local experiments: not parsed further
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

// A switch and its full ports. Workers are polled in turn, so none is a poll ahead of another.
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
    // Runs until no frame is queued. Returns false if some frames stay queued.
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
