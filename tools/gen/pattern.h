// Pattern: chooses the destination, priority and length of the next frame of one sender.
//
//   uniform     every sender to every other port, at random with equal chances
//   incast      every other port to port 0, which sends no frames
//   pairs       a permutation without fixed points: port i to port i + N/2 (mod N); with an even
//               number of ports, the two ports of a pair send to each other
//   halves      each port of the lower half to every one of the upper half, at random
//   across      each port of either half to each one of the other, at random
//   congestion  RFC 2889 5.5, in blocks of four ports: the first sends half to the third and half
//               to the fourth, the second all to the fourth, which is overloaded; ports of an
//               incomplete block send no frames
//   broadcast   every port to all others at once; such a flow has its sender as receiver
// The same seed gives the same frames. Lengths include the FCS, as on the wire.
// Bound: one random draw a frame; no division.
// Not here: when to send (pacer.h), the octets (probe.h).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"
#include "tools/gen/random.h"

namespace sluice::gen {

enum class Shape : uint8_t { uniform, incast, pairs, halves, across, congestion, broadcast };

inline constexpr auto shape_names = std::to_array<std::string_view>(
    {"uniform", "incast", "pairs", "halves", "across", "congestion", "broadcast"});

std::optional<Shape> shape_named(std::string_view name);

// Frame lengths and how often each occurs, out of `total`.
struct FrameMix {
    struct Part {
        uint16_t octets;
        uint16_t share;

        friend bool operator==(const Part&, const Part&) = default;
    };
    static constexpr std::size_t most_parts = 8;
    std::array<Part, most_parts> parts{};
    std::size_t count = 0;
    uint16_t total = 0;

    static constexpr FrameMix fixed(uint16_t octets) { return {{{{octets, 1}}}, 1, 1}; }
    // Returns the simple IMIX: 7 frames of 64, 4 of 594, 1 of 1518 octets.
    static constexpr FrameMix imix() { return {{{{64, 7}, {594, 4}, {1518, 1}}}, 3, 12}; }

    // Returns the mean length of a frame, in octets with FCS.
    [[nodiscard]] double mean() const;

    friend bool operator==(const FrameMix&, const FrameMix&) = default;
};

struct PatternSettings {
    Shape shape = Shape::uniform;
    PortIndex ports = 2;         // 2 to max_ports
    PrioritySet priorities = 1;  // drawn with equal chances; not empty
    FrameMix frames = FrameMix::fixed(64);
    uint64_t seed = 1;
    std::optional<PortIndex> only_to;  // overrides the receivers of the shape
};

// Whether `sender` sends frames in this shape.
constexpr bool sends(const PatternSettings& settings, PortIndex sender) {
    switch (settings.shape) {
        case Shape::incast:
            return sender != 0;
        case Shape::halves:
            return sender < settings.ports / 2;
        case Shape::congestion:
            return sender % 4 < 2 && sender / 4 < settings.ports / 4;
        case Shape::uniform:
        case Shape::pairs:
        case Shape::across:
        case Shape::broadcast:
            break;
    }
    return true;
}

constexpr std::size_t sender_count(const PatternSettings& settings) {
    std::size_t count = 0;
    for (PortIndex port = 0; port < settings.ports; ++port)
        count += sends(settings, port) ? 1U : 0U;
    return count;
}
// Returns the number of receivers of each frame.
constexpr std::size_t copies(const PatternSettings& settings) {
    return settings.shape == Shape::broadcast ? settings.ports - 1U : 1U;
}

class Pattern {
  public:
    struct Draw {
        PortIndex receiver;
        Priority priority;
        uint8_t part;  // index in the FrameMix
    };

    Pattern(const PatternSettings& settings, PortIndex sender);

    // Draws the next frame, with a priority in `eligible`, which must contain at least one of the
    // configured priorities.
    Draw next(PrioritySet eligible) {
        const uint64_t bits = random_.next();
        return {receiver(bits), member(eligible & settings_.priorities, bits >> 16),
                part(bits >> 32)};
    }
    // Whether all frames are equal: there is one receiver, one priority and one length.
    [[nodiscard]] bool is_constant() const {
        return receivers_ == 1 && std::has_single_bit(settings_.priorities) &&
               settings_.frames.count == 1;
    }

  private:
    static constexpr uint32_t nobody = max_ports;

    [[nodiscard]] PortIndex receiver(uint64_t random_bits) const {
        const uint32_t drawn = first_ + scale_16(random_bits, receivers_);
        return static_cast<PortIndex>(drawn < skipped_ ? drawn : drawn + 1);
    }
    // Returns the member of `set` that `random_bits` select.
    static Priority member(uint32_t set, uint64_t random_bits) {
        const auto members = static_cast<uint32_t>(std::popcount(set));
        for (uint32_t skip = scale_16(random_bits, members); skip > 0; --skip) set &= set - 1;
        return static_cast<Priority>(std::countr_zero(set));
    }
    [[nodiscard]] uint8_t part(uint64_t random_bits) const {
        uint8_t part = 0;
        if (settings_.frames.count == 1) return part;
        uint32_t position = scale_16(random_bits, settings_.frames.total);
        while (position >= settings_.frames.parts[part].share) {
            position -= settings_.frames.parts[part++].share;
        }
        return part;
    }

    PatternSettings settings_;
    Random random_;
    // The possible receivers: `receivers_` ports from `first_` on, without `skipped_`.
    uint32_t first_ = 0;
    uint32_t receivers_ = 1;
    uint32_t skipped_ = nobody;
};

}  // namespace sluice::gen
