#include "tools/sim/scenario/record.h"

#include <algorithm>

namespace sluice::sim {

namespace {

constexpr int64_t usual_samples = 200;

Picos interval_of(const RunSettings& run) {
    const int64_t whole = run.time.count();
    const int64_t least = (whole + most_samples - 1) / most_samples;
    const int64_t usual = std::max<int64_t>(1, (whole + usual_samples - 1) / usual_samples);
    const int64_t asked = run.sample.count() == 0 ? usual : run.sample.count();
    return picos(Nanos(std::clamp(asked, least, whole)));
}

uint64_t queued_for(const Switch& dataplane, PortIndex port) {
    Bytes sum;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        sum += dataplane.depth({port, priority}) + dataplane.egress(port).queue(priority).bytes();
    }
    return static_cast<uint64_t>(sum.count());
}

uint64_t held_by(const Ingress& ingress) {
    Bytes sum;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        sum += ingress.group(priority).occupancy();
    }
    return static_cast<uint64_t>(sum.count());
}

std::vector<std::pair<Priority, Shares>> those_that_were(std::array<Shares, max_priorities>& all) {
    std::vector<std::pair<Priority, Shares>> were;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const bool ever =
            std::ranges::any_of(all[priority], [](double share) { return share > 0; });
        if (ever) were.emplace_back(priority, std::move(all[priority]));
    }
    return were;
}

}  // namespace

std::vector<DelayPoint> distribution(const Histogram& delays) {
    std::vector<DelayPoint> points;
    if (delays.total() == 0) return points;
    const auto add = [&](double share) {
        const uint64_t nanos = delays.quantile(share);
        // Of several points with the same delay only the first and the last are kept.
        const std::size_t count = points.size();
        if (count >= 2 && points[count - 1].nanos == nanos && points[count - 2].nanos == nanos) {
            points.pop_back();
        }
        points.push_back({nanos, share});
    };
    for (int percent = 0; percent < 100; ++percent) add(percent / 100.0);
    for (const double share : {0.995, 0.998, 0.999, 0.9995, 0.9999, 0.99999, 1.0}) add(share);
    return points;
}

Recorder::Recorder(const NetworkScenario& scenario)
    : scenario_(scenario),
      interval_(interval_of(scenario.run)),
      due_(interval_),
      arrived_(scenario.flows.size()) {
    for (const FlowSpec& flow : scenario.flows) series_.flows.push_back({flow.name});
}

void Recorder::watch(const Place& place, const SwitchNode& node, const std::string& peer) {
    const SwitchSpec& spec = scenario_.switches[place.node];
    watched_.push_back({&node, place.port});
    series_.ports.push_back({spec.name, spec.ports[place.port], peer, {}, {}});
}

Bytes Recorder::memory() const {
    const int64_t samples = picos(scenario_.run.time).count() / interval_.count();
    constexpr std::size_t of_port = 2 * sizeof(uint64_t) + 2 * max_priorities * sizeof(double);
    return Bytes(samples * static_cast<int64_t>(watched_.size() * of_port +
                                                arrived_.size() * sizeof(double)));
}

double Recorder::share(Nanos now, Nanos& before) const {
    const Nanos part = now - before;
    before = now;
    return static_cast<double>(part.count()) / static_cast<double>(nanos(interval_).count());
}

void Recorder::sample() {
    series_.at.push_back(nanos(due_));
    for (std::size_t n = 0; n < watched_.size(); ++n) {
        Watched& watched = watched_[n];
        const Switch& dataplane = watched.node->dataplane();
        const Ingress& ingress = dataplane.ingress(watched.port);
        const PauseGate& gate = dataplane.egress(watched.port).gate();
        series_.ports[n].queued.push_back(queued_for(dataplane, watched.port));
        series_.ports[n].held.push_back(held_by(ingress));
        const Nanos now = watched.node->now();
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            watched.paused_shares[priority].push_back(
                share(gate.history(priority).total(now), watched.paused[priority]));
            watched.pausing_shares[priority].push_back(share(
                ingress.pause_sender().history(priority).total(now), watched.pausing[priority]));
        }
    }
    for (std::size_t n = 0; n < arrived_.size(); ++n) {
        const double bits = static_cast<double>(std::exchange(arrived_[n], 0)) * 8;
        series_.flows[n].throughput.push_back(bits * 1e12 / static_cast<double>(interval_.count()));
    }
    due_ += interval_;
}

Series Recorder::take() {
    for (std::size_t n = 0; n < watched_.size(); ++n) {
        series_.ports[n].paused = those_that_were(watched_[n].paused_shares);
        series_.ports[n].pausing = those_that_were(watched_[n].pausing_shares);
    }
    return std::move(series_);
}

}  // namespace sluice::sim
