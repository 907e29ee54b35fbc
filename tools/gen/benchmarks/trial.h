// Trial: one run of traffic for a test of RFC 2544 or a search, and its result.
//
// A trial may change its rate during the run. It then reports how long frames were missing after
// the change: until the last frame that arrived without its predecessor (even if a late frame
// filled that gap).
// Not here: the traffic, and waiting for frames in flight between trials; both are `RunTrial`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/gen/generator.h"
#include "tools/gen/report.h"

namespace sluice::gen {

// A mix of frame lengths, with the name that the user gave it.
struct NamedMix {
    std::string name;
    FrameMix frames;
};
// Returns the length, or the name of a mix of several lengths.
Json length_json(const NamedMix& mix);

struct RateChange {
    Nanos after;
    Rate rate;
};

struct TrialPlan {
    FrameMix frames;
    Rate rate;  // rate of each sender
    Nanos duration;
    uint64_t frames_each = 0;  // frames of each sender; 0: limited only by time
    std::optional<RateChange> change;
};

struct Trial {
    std::optional<double> asked;  // requested frames a second of all senders; none: unlimited
    Summary summary;
    double fastest_sender = 0;  // frames a second
    bool passed = false;
    Nanos lossy_after;  // time from the change of rate until no frame was missing

    // The offered and delivered frames a second.
    [[nodiscard]] double offered() const {
        return static_cast<double>(summary.results.offered) / summary.seconds;
    }
    [[nodiscard]] double delivered() const {
        return static_cast<double>(summary.results.delivered) / summary.seconds;
    }
    // Returns the lost share of the offered frames.
    [[nodiscard]] double loss() const {
        const Results& results = summary.results;
        if (results.offered == 0) return 0;
        return static_cast<double>(results.lost) / static_cast<double>(results.offered);
    }
    [[nodiscard]] bool held_back() const { return !asked || offered() < 0.99 * *asked; }
};

// Runs a trial. The caller sets `asked` and `passed` of the result. Returns none if the trial was
// interrupted.
using RunTrial = std::function<std::optional<Trial>(const TrialPlan&)>;

// Runs the streams for at most the given time. Returns none if the run was interrupted.
using RunStreams = std::function<std::optional<Trial>(const std::vector<Stream>&, Nanos)>;

using Say = std::function<void(const std::string&)>;  // prints a line of progress

// Returns the mean; 0 without values.
double mean_of(const std::vector<double>& values);

// Returns the frames a second of each sender; none if the rate is unlimited.
std::optional<double> frames_a_second(const Rate& rate, const FrameMix& frames);

}  // namespace sluice::gen
