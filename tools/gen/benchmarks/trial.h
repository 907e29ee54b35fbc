// Trial: one run of traffic for a test of RFC 2544 or a search, and its result.
//
// A trial may change its rate during the run. It then reports how long frames were missing after
// the change: until the last frame that arrived without its predecessor (a gap that a late frame
// filled later counts too).
// Not done here: the traffic, and waiting until all is still between trials; both are `RunTrial`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/gen/generator.h"
#include "tools/gen/report.h"

namespace sluice::gen {

// Frame lengths to be tried one after the other, by the names that the user wrote.
struct NamedMix {
    std::string name;
    FrameMix frames;
};
// Returns the octets, or the name of a mix of several lengths.
Json length_json(const NamedMix& mix);

struct RateChange {
    Nanos after;
    Rate rate;
};

struct TrialPlan {
    FrameMix frames;
    Rate rate;  // of each sender
    Nanos duration;
    uint64_t frames_each = 0;  // of each sender; 0: no end but the time
    std::optional<RateChange> change;
};

struct Trial {
    std::optional<double> asked;  // frames a second of all senders; nothing: as fast as they can
    Summary summary;
    double fastest_sender = 0;  // frames a second
    bool passed = false;
    Nanos lossy_after;  // where the rate changed; 0: from then on nothing was missing

    // Frames a second.
    [[nodiscard]] double offered() const {
        return static_cast<double>(summary.results.offered) / summary.seconds;
    }
    [[nodiscard]] double delivered() const {
        return static_cast<double>(summary.results.delivered) / summary.seconds;
    }
    // The lost share of the offered frames.
    [[nodiscard]] double loss() const {
        const Results& results = summary.results;
        if (results.offered == 0) return 0;
        return static_cast<double>(results.lost) / static_cast<double>(results.offered);
    }
    [[nodiscard]] bool held_back() const { return !asked || offered() < 0.99 * *asked; }
};

// Runs a trial. The caller sets `asked` and `passed` of the result. Returns nothing if the trial
// was interrupted.
using RunTrial = std::function<std::optional<Trial>(const TrialPlan&)>;

// Runs the streams for at most the given time. Returns nothing if the run was interrupted.
using RunStreams = std::function<std::optional<Trial>(const std::vector<Stream>&, Nanos)>;

using Say = std::function<void(const std::string&)>;  // a line as soon as something is known

// Returns the mean; 0 without values.
double mean_of(const std::vector<double>& values);

// Returns the frames a second of each sender; empty: as fast as it can.
std::optional<double> frames_a_second(const Rate& rate, const FrameMix& frames);

}  // namespace sluice::gen
