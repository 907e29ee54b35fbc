// FakeLink: a Link made of vectors, so that a test reads as a schedule: `room` is what the device
// takes, `arrivals` what it hands over, `sent` what left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "tools/gen/link.h"
#include "tools/gen/probe.h"

namespace sluice::gen {

using Octets = std::vector<uint8_t>;

class FakeLink final : public Link {
  public:
    bool allocate(std::span<Frame> frames, uint16_t length) override {
        if (!has_buffers) return false;
        for (Frame& frame : frames) {
            auto* buffer = new Octets(length, uint8_t{0xEE});
            frame.handle = buffer;
            frame.data = buffer->data();
            frame.length = length;
            ++outstanding;
        }
        return true;
    }
    std::size_t transmit(std::span<const Frame> frames) override {
        const std::size_t taken = std::min(frames.size(), room);
        room -= taken;
        for (const Frame& frame : frames.first(taken)) {
            sent.push_back(*static_cast<Octets*>(frame.handle));
        }
        release(frames.first(taken));
        return taken;
    }
    std::size_t receive(std::span<Frame> frames) override {
        std::size_t count = 0;
        while (count < frames.size() && !arrivals.empty() && has_buffers) {
            Frame& frame = frames[count++];
            allocate({&frame, 1}, static_cast<uint16_t>(arrivals.front().size()));
            std::ranges::copy(arrivals.front(), frame.data);
            arrivals.erase(arrivals.begin());
        }
        return count;
    }
    void release(std::span<const Frame> frames) override {
        for (const Frame& frame : frames) delete static_cast<Octets*>(frame.handle);
        outstanding -= static_cast<int>(frames.size());
    }

    // Returns the frames sent since the last call, as probes.
    std::vector<Probe> take_probes() {
        std::vector<Probe> probes;
        for (const Octets& octets : sent) {
            if (const auto probe = read_probe(octets)) probes.push_back(*probe);
        }
        sent.clear();
        return probes;
    }

    std::size_t room = SIZE_MAX;
    bool has_buffers = true;
    std::vector<Octets> arrivals;
    std::vector<Octets> sent;
    int outstanding = 0;  // buffers that somebody holds
};

inline Octets probe_of(const Flow& flow, uint64_t sequence, uint16_t frame_octets = 64,
                       uint16_t run = 0) {
    const ProbeTemplate made(flow, 0, run, frame_octets);
    Octets octets(made.length());
    made.write(octets.data(), sequence);
    return octets;
}

}  // namespace sluice::gen
