// Input: one Ingress of four outputs, with what it shares with the rest of a switch.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "dataplane/ingress/ingress.h"

namespace sluice::test {

using namespace literals;

inline constexpr std::size_t outputs = 4;

// An input of four outputs and 64 KiB to share, unless a test says otherwise. Cells are 1 KiB and
// frames fill whole ones, so octets can be counted on fingers.
struct Input {
    static Settings ordinary() {
        Settings settings;
        settings.ports.resize(outputs);
        settings.buffer.size = 64_KiB;
        settings.buffer.cell = 1_KiB;
        settings.fabric.quantum = 4_KiB;
        return settings;
    }
    // Priority 3 is lossless: XOFF 10 KiB, XON 4 KiB, headroom 6 KiB. The pool is 54 KiB then: each
    // of the four ports has a place of 1 KiB for the frame that reaches XOFF.
    static Settings lossless() {
        Settings settings = ordinary();
        for (PortSettings& port : settings.ports) {
            port.max_frame = 1_KiB;
            port.pfc.lossless = 0b0000'1000;
            port.pfc.headroom = 0_B;
        }
        PfcSettings& pfc = settings.ports[0].pfc;
        pfc.xoff = 10_KiB;
        pfc.xon = 4_KiB;
        pfc.headroom = 6_KiB;
        return settings;
    }

    explicit Input(const Settings& settings,
                   std::size_t chunks = FramePool::chunks_for(1000, outputs* max_priorities))
        : pool(shared_size(settings), settings.buffer.cell, 1),
          frames(chunks),
          crossbar(settings.fabric, outputs, 1),
          ingress(0, outputs, {pool.shard(0), frames, crossbar.shard(0)}) {
        crossbar.set_backlogs(0, ingress.backlogs(), sizeof(Voq));
        ingress.configure(settings);
    }
    Drop admit(PortIndex output, Priority priority, Bytes length = 1_KiB) {
        Frame frame{};
        frame.priority = priority;
        frame.length = static_cast<uint16_t>(length.count());
        frame.vlan = ++last;
        return ingress.admit(frame, output);
    }
    // Admits frames until one is refused, for the `expected` reason. Returns how many entered.
    int admit_all(PortIndex output, Priority priority, Drop expected, Bytes length = 1_KiB) {
        for (int admitted = 0;; ++admitted) {
            const Drop why = admit(output, priority, length);
            if (why == Drop::none) continue;
            EXPECT_EQ(name_of(why), name_of(expected));
            return admitted;
        }
    }
    std::vector<VlanId> move(PortIndex output, Priority priority, Bytes quantum = 4_KiB) {
        std::array<Frame, max_transfer> out;
        const std::size_t moved = ingress.move({output, priority}, out, quantum);
        std::vector<VlanId> numbers;
        for (const Frame& frame : std::span(out).first(moved)) numbers.push_back(frame.vlan);
        return numbers;
    }
    void drain() {
        for (PortIndex output = 0; output < outputs; ++output) {
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                while (!move(output, priority).empty()) continue;
            }
        }
    }
    [[nodiscard]] const Voq& voq(PortIndex output, Priority priority) const {
        return ingress.voq(output, priority);
    }
    [[nodiscard]] PrioritySet pausing() const { return ingress.pause_sender().pausing(); }

    SharedBuffer pool;
    FramePool frames;
    Crossbar crossbar;
    Ingress ingress;
    VlanId last = 0;
};

}  // namespace sluice::test
