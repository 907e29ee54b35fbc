#include "tools/gen/pattern.h"

#include <algorithm>

namespace sluice::gen {
namespace {

// Returns a sender's random numbers. The seeds are drawn, since those that differ by one would give
// senders the same frames, one step apart.
Random stream_of(uint64_t seed, PortIndex sender) {
    Random seeds(seed);
    for (PortIndex before = 0; before < sender; ++before) seeds.next();
    return Random(seeds.next());
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
    : settings_(settings), random_(stream_of(settings.seed, sender)) {
    const uint32_t ports = settings.ports;
    if (settings.only_to) {
        first_ = *settings.only_to;
        return;
    }
    switch (settings.shape) {
        case Shape::uniform:
            receivers_ = ports - 1;
            skipped_ = sender;
            return;
        case Shape::incast:
            return;
        case Shape::pairs:
            first_ = (sender + ports / 2) % ports;
            return;
        case Shape::halves:
            first_ = ports / 2;
            receivers_ = ports - first_;
            return;
        case Shape::across:
            first_ = sender < ports / 2 ? ports / 2 : 0;
            receivers_ = sender < ports / 2 ? ports - ports / 2 : ports / 2;
            return;
        case Shape::congestion:
            receivers_ = sender % 4 == 0 ? 2 : 1;
            first_ = sender / 4U * 4 + 4 - receivers_;
            return;
        case Shape::broadcast:
            first_ = sender;
    }
}

}  // namespace sluice::gen
