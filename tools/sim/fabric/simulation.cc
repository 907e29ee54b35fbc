#include "tools/sim/fabric/simulation.h"

#include <algorithm>

#include "tools/common/histogram.h"

namespace sluice::sim {

namespace {

// Changes the seed for the matcher, so that the traffic's random numbers are the same for any
// matcher.
constexpr uint64_t matchers_own = 0xD1B5'4A32'D192'ED03;

class Run {
  public:
    explicit Run(const Scenario& scenario)
        : voqs_(scenario.tuning.ports, queue_limit),
          traffic_(scenario.traffic, scenario.tuning.ports, scenario.load, scenario.burst,
                   scenario.tuning.seed) {
        Tuning tuning = scenario.tuning;
        tuning.seed ^= matchers_own;
        matcher_ = scenario.algorithm->make(tuning);
    }

    void pass(uint64_t slots) {
        for (; slots > 0; --slots, ++now_) pass_one();
    }
    void start_measuring() {
        outcome_ = {.waiting_before = voqs_.waiting()};
        delays_ = {};
        sum_ = 0;
    }
    Outcome result(const Scenario& scenario) {
        Outcome& seen = outcome_;
        const auto departed = static_cast<double>(seen.departed);
        const auto arrived = static_cast<double>(seen.arrived);
        seen.waiting_after = voqs_.waiting();
        seen.throughput = departed / (static_cast<double>(scenario.slots) * scenario.tuning.ports);
        seen.throughput_of_offered = seen.arrived == 0 ? 1 : departed / arrived;
        seen.mean_delay = seen.departed == 0 ? 0 : static_cast<double>(sum_) / departed;
        seen.p99_delay = delays_.quantile(0.99);
        seen.max_delay = delays_.max();
        seen.stable = seen.lost == 0 && static_cast<double>(seen.waiting_after) <=
                                            static_cast<double>(seen.waiting_before) +
                                                arrived / 100 + noise * scenario.tuning.ports;
        return seen;
    }

  private:
    // Growth of a backlog, in cells a port, that may be random fluctuation.
    static constexpr double noise = 32;

    void pass_one() {
        traffic_.next_slot(arrivals_);
        for_each_port(arrivals_.inputs, [this](PortIndex input) {
            ++outcome_.arrived;
            if (voqs_.push(input, arrivals_.output[input], now_)) return;
            ++outcome_.lost;
            arrivals_.inputs &= ~only(input);
        });
        Matching matching;
        matcher_->match(voqs_, arrivals_, matching);
        for_each_port(matching.outputs, [&](PortIndex output) {
            const Slot waited = now_ - voqs_.pop(matching.input_of[output], output);
            ++outcome_.departed;
            sum_ += waited;
            delays_.record(waited);
        });
    }

    Voqs voqs_;
    CellTraffic traffic_;
    std::unique_ptr<Matcher> matcher_;
    Arrivals arrivals_;
    Slot now_ = 0;
    Outcome outcome_;
    Histogram delays_;
    uint64_t sum_ = 0;  // sum of all delays
};

}  // namespace

Outcome simulate(const Scenario& scenario, const std::function<void(uint64_t)>& on_progress) {
    constexpr uint64_t between = 10'000;  // slots between two reports of progress
    Run run(scenario);
    uint64_t passed = 0;
    const auto pass = [&](uint64_t slots) {
        for (uint64_t left = slots; left > 0;) {
            const uint64_t part = std::min(left, between);
            run.pass(part);
            left -= part;
            passed += part;
            if (on_progress) on_progress(passed);
        }
    };
    pass(scenario.warmup);
    run.start_measuring();
    pass(scenario.slots);
    return run.result(scenario);
}

}  // namespace sluice::sim
