#include "tools/gen/pattern.h"

#include <algorithm>
#include <bit>

namespace sluice::gen {
namespace {

// Seeds that differ by one must not give senders the same frames one step apart.
Random stream_of(uint64_t seed, PortIndex sender) {
    Random seeds(seed);
    for (PortIndex before = 0; before < sender; ++before) seeds.next();
    return Random(seeds.next());
}

// The member of `set` that `random_bits` fall on.
Priority member(PrioritySet set, uint64_t random_bits) {
    for (uint32_t skip = scale_16(random_bits, static_cast<uint32_t>(std::popcount(set))); skip > 0;
         --skip) {
        set = static_cast<PrioritySet>(set & (set - 1));
    }
    return static_cast<Priority>(std::countr_zero(set));
}

}  // namespace

std::optional<Shape> shape_named(std::string_view name) {
    const auto found = std::ranges::find(shape_names, name);
    if (found == shape_names.end()) return {};
    return static_cast<Shape>(found - shape_names.begin());
}

double FrameMix::mean() const {
    double octets = 0;
    for (std::size_t part = 0; part < count; ++part) {
        octets += parts[part].octets * parts[part].share;
    }
    return octets / total;
}

Pattern::Pattern(const PatternSettings& settings, PortIndex sender)
    : settings_(settings), sender_(sender), random_(stream_of(settings.seed, sender)) {}

Pattern::Draw Pattern::next(PrioritySet eligible) {
    const uint64_t bits = random_.next();
    eligible &= settings_.priorities;
    uint8_t part = 0;
    if (settings_.frames.count > 1) {
        uint32_t position = scale_16(bits >> 32, settings_.frames.total);
        while (position >= settings_.frames.parts[part].share) {
            position -= settings_.frames.parts[part++].share;
        }
    }
    return {receiver(bits), member(eligible, bits >> 16), part};
}

PortIndex Pattern::receiver(uint64_t random_bits) const {
    const PortIndex ports = settings_.ports;
    switch (settings_.shape) {
        case Shape::incast:
            return 0;
        case Shape::pairs:
            return static_cast<PortIndex>((sender_ + ports / 2) % ports);
        case Shape::halves: {
            const PortIndex lower = ports / 2;
            return static_cast<PortIndex>(
                lower + scale_16(random_bits, static_cast<uint32_t>(ports - lower)));
        }
        case Shape::congestion: {
            const uint32_t receiver = sender_ % 4 == 0 ? 2 + scale_16(random_bits, 2) : 3;
            return static_cast<PortIndex>(sender_ / 4U * 4 + receiver);
        }
        case Shape::broadcast:
            return sender_;
        case Shape::uniform:
            break;
    }
    const uint32_t other = scale_16(random_bits, ports - 1U);
    return static_cast<PortIndex>(other < sender_ ? other : other + 1);
}

}  // namespace sluice::gen
