// Record: periodic samples of each connected port and each flow during a run, and the distribution
// of each flow's delays.
//
// A sample is taken at the end of each interval. It has the octets at that time, and three values
// of the interval: a flow's throughput, in bits of arrived frames with FCS; and, for each priority
// that was ever paused, the shares of time in which the peer paused the port and the port paused
// the peer. The run is sampled while hosts send. Delays are those of FlowResult, without the
// warm-up.
// Bound: most_samples samples: if `sample` would make more, intervals are longer. A sample reads
// every VOQ.
// Not done here: counts for the whole run (run.h).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/common/histogram.h"
#include "tools/sim/network/picos.h"
#include "tools/sim/network/switch_node.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

using Shares = std::vector<double>;  // 0 to 1, one for each sample

struct PortSeries {
    std::string node;
    std::string port;
    std::string peer;
    std::vector<uint64_t> queued;  // octets that wait for this output, in VOQs and egress queues
    std::vector<uint64_t> held;    // octets of the port's input groups, for any output
    // Share of each interval in which the peer paused the port, and in which the port paused the
    // peer.
    std::vector<std::pair<Priority, Shares>> paused{};
    std::vector<std::pair<Priority, Shares>> pausing{};
};

struct DelayPoint {
    uint64_t nanos;
    double share;  // share of the frames with at most this delay
};

struct FlowSeries {
    std::string name;
    std::vector<double> throughput{};  // bits a second
    std::vector<DelayPoint> delays{};  // a rising curve
};

struct Series {
    std::vector<Nanos> at;  // time of each sample
    std::vector<PortSeries> ports;
    std::vector<FlowSeries> flows;
};

std::vector<DelayPoint> distribution(const Histogram& delays);

class Recorder {
  public:
    explicit Recorder(const NetworkScenario& scenario);

    // Adds a port with a peer.
    void watch(const Place& place, const SwitchNode& node, const std::string& peer);
    void arrived(uint16_t flow, Bytes octets) {
        arrived_[flow] += static_cast<uint64_t>(octets.count());
    }
    [[nodiscard]] Picos due() const { return due_; }
    // Returns the memory of all samples of the run.
    [[nodiscard]] Bytes memory() const;
    // Called at `due`.
    void sample();
    void set_delays(std::size_t flow, const Histogram& delays) {
        series_.flows[flow].delays = distribution(delays);
    }
    Series take();

  private:
    using ByPriority = std::array<Shares, max_priorities>;
    struct Watched {
        const SwitchNode* node;
        PortIndex port;
        std::array<Nanos, max_priorities> paused{};  // paused time until the last sample
        std::array<Nanos, max_priorities> pausing{};
        ByPriority paused_shares{};
        ByPriority pausing_shares{};
    };
    [[nodiscard]] double share(Nanos now, Nanos& before) const;

    const NetworkScenario& scenario_;
    Picos interval_;
    Picos due_;
    std::vector<Watched> watched_;
    std::vector<uint64_t> arrived_;  // octets of each flow since the last sample
    Series series_;
};

}  // namespace sluice::sim
