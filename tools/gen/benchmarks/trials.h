// Trials: runs traffic on devices, one trial after the other. Each announces its stations, sends,
// and waits until no frame has moved for 0.3 s.
//
// One lcore sends and receives on all links; the caller's thread prints the progress, if requested.
// Not here: opening the devices, and judging a trial.
#pragma once

#include <atomic>
#include <optional>
#include <span>

#include "pmd_glue/clock.h"
#include "pmd_glue/eal.h"
#include "tools/gen/benchmarks/trial.h"

namespace sluice::gen {

class Run;

class Trials {
  public:
    // `interrupted`: set when the user interrupts the program.
    Trials(pmd::Eal& eal, std::span<Link* const> links, const std::atomic<bool>& interrupted)
        : eal_(eal), links_(links), interrupted_(interrupted), clock_(pmd::Clock::calibrated()) {}

    // Runs the traffic as planned. The result counts sent frames even if the run was interrupted.
    Trial run(Traffic traffic, const TrialPlan& plan, bool quiet);
    // Runs a trial without printing progress; returns none if interrupted.
    std::optional<Trial> try_plan(const Traffic& traffic, const TrialPlan& plan);

    [[nodiscard]] std::size_t ports() const { return links_.size(); }

  private:
    void introduce(const SenderSettings& senders);
    void watch(Run& run, const Generator& generator, bool quiet);

    pmd::Eal& eal_;
    std::span<Link* const> links_;
    const std::atomic<bool>& interrupted_;
    pmd::Clock clock_;
};

}  // namespace sluice::gen
