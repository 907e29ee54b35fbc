#include "tools/gen/benchmarks/trial.h"

#include <numeric>

namespace sluice::gen {

Json length_json(const NamedMix& mix) {
    return mix.frames.count == 1 ? Json(mix.frames.parts[0].octets) : Json(mix.name);
}

double mean_of(const std::vector<double>& values) {
    if (values.empty()) return 0;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> frames_a_second(const Rate& rate, const FrameMix& frames) {
    const auto value = static_cast<double>(rate.value);
    switch (rate.unit) {
        case Rate::Unit::unlimited:
            break;
        case Rate::Unit::frames_a_second:
            return value;
        case Rate::Unit::bits_a_second:
            return value / (8 * (frames.mean() + Pacer::preamble_and_gap));
    }
    return {};
}

}  // namespace sluice::gen
