// MlrThroughput: MLRsearch (mlr_search.h) by trials with real traffic, and its results.
//
// The highest load is the requested load, or the load that the senders reached in the first trial;
// the least is a ten-thousandth of it. Frames that a sender's own device refused do not count as
// offered, so they are not lost. A bound is a requested load; `offered` of its trials is the load
// that was sent.
#pragma once

#include <string>
#include <vector>

#include "tools/gen/benchmarks/mlr_search.h"
#include "tools/gen/benchmarks/throughput.h"
#include "tools/gen/benchmarks/trial.h"

namespace sluice::gen {

struct MlrThroughput {
    NamedMix mix;
    std::vector<Trial> trials;
    // Results of mlr_search.h, in frames a second of all senders.
    std::optional<double> lower;
    std::optional<double> upper;
    double conditional = 0;
    Limit limit = Limit::loss;  // limit of the lower bound
    bool complete = false;      // whether the search was not interrupted
};

MlrThroughput find_bounds(const NamedMix& mix, const Rate& first, std::size_t frames_at_once,
                          const MlrGoal& goal, const RunTrial& run,
                          const std::function<void(const std::string&)>& say);

// Keys: ports, addresses, search, goal {loss_percent, exceed_percent, width_percent, trial_seconds,
// sum_seconds}, throughput [{frame_bytes, rate_fps (conditional), lower_fps, upper_fps, limit,
// trials [as in throughput.h]}]. A bound that does not exist is null.
Json to_json(std::size_t ports, uint32_t addresses, const MlrGoal& goal,
             const std::vector<MlrThroughput>& found);
std::string to_text(const MlrGoal& goal, const std::vector<MlrThroughput>& found);

}  // namespace sluice::gen
