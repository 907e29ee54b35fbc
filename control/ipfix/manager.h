// IpfixManager: exports the counters of queues and lossless groups by IPFIX: lends each worker a
// sampler (dataplane/ipfix), takes the samples, and sends them to the collectors.
//
// The sampled queues and groups follow the settings, such as ports that are added or removed and
// priorities that become lossless. After such a change sampling restarts within a second, with new
// templates; samples in between are lost and counted. If IPFIX is off nothing is done. Time is an
// argument, and no call waits for a worker. Events report samples that found the ring full, samples
// that are far too rare although workers always poll, and unreachable collectors.
// Bound: the ring of each worker (`memory_of_worker`); a call empties the rings.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "config/configuration.h"
#include "control/clock_offsets.h"
#include "control/events/event_sink.h"
#include "control/export/collectors.h"
#include "control/ipfix/exporter.h"
#include "control/lent_to_workers.h"
#include "control/service.h"
#include "dataplane/ipfix/queue_sampler.h"
#include "dataplane/switch.h"
#include "dataplane/types/settings.h"

namespace sluice::control {

class IpfixManager final : public Service {
  public:
    static constexpr std::size_t memory_of_worker = std::size_t{16} << 20;

    using Clock = std::function<Nanos()>;

    // `settings`: the settings that the workers run with; `clock`: the workers' clock.
    IpfixManager(Switch& dataplane, const config::Configuration& configuration,
                 const Settings& settings, Clock clock, EventSink& events);

    void configure(const config::Configuration& configuration, Nanos now) override;
    void tick(Nanos now) override;
    [[nodiscard]] std::chrono::milliseconds period() const override {
        return std::chrono::milliseconds(lent_.has_any() ? 5 : 0);
    }
    // Sends the last samples.
    void stop(Nanos now) override { tick(now); }

    // --- state for `show` -----------------------------------------------------------------------
    [[nodiscard]] bool is_on() const { return !collectors_.empty(); }
    [[nodiscard]] const config::IpfixConfig& about() const { return config_; }
    [[nodiscard]] const Collectors& collectors() const { return collectors_; }
    [[nodiscard]] const ipfix::Exporter& exporter() const { return *exporter_; }
    [[nodiscard]] const ipfix::Layout& layout() const { return layout_; }  // by worker index
    // Counts of a worker, since the start.
    struct Counts {
        uint64_t samples = 0;  // samples that were sent, or are about to be
        uint64_t lost = 0;

        Counts& operator+=(const Counts& more) {
            samples += more.samples;
            lost += more.lost;
            return *this;
        }
        // Computes modulo 2^64, because samples that were counted may prove to be lost later.
        Counts operator-(const Counts& before) const {
            return {samples - before.samples, lost - before.lost};
        }
    };
    struct Sampled {
        Counts counts;
        Nanos longest;  // longest time between two samples, lost ones included, in this layout
        Nanos mean;     // mean time between samples in the last whole second; 0: no such second yet
    };
    [[nodiscard]] Sampled sampled(WorkerIndex worker) const;
    [[nodiscard]] uint64_t lost() const;  // samples that were lost, of all workers

  private:
    struct Samplers {
        std::vector<std::unique_ptr<QueueSampler>> by_worker;
        std::vector<Counts> ended = {};  // counts of the samplers when they were taken back
    };
    struct LastSecond {
        uint64_t made = 0;  // samples up to the end of the last whole second
        Nanos mean;
    };

    [[nodiscard]] std::vector<QueueSampler::Wanted> wanted() const;
    [[nodiscard]] ipfix::Layout layout_of(const std::vector<QueueSampler::Wanted>& wanted) const;
    void begin();
    void lend(std::unique_ptr<Samplers> samplers);
    void free_returned();
    [[nodiscard]] std::unique_ptr<QueueSampler> sampler_of(QueueSampler::Wanted wanted) const;
    void send_what_is_there();
    void take_samples();
    void each_second(Nanos now);
    [[nodiscard]] ipfix::Utc utc_of(Nanos at) const;

    Switch& dataplane_;
    const Settings& settings_;
    const Clock clock_;
    EventSink& events_;
    config::IpfixConfig config_;
    std::vector<std::string> ports_;  // names by port index; empty: no port
    Collectors collectors_{"IPFIX", "ipfix"};
    std::unique_ptr<ipfix::Exporter> exporter_;  // null: IPFIX is off
    ipfix::Layout layout_;
    LentToWorkers<QueueSampler, Samplers> lent_;
    ClockOffsets clocks_;
    Nanos now_;                   // time of the call
    std::vector<Counts> before_;  // by worker index: counts of earlier samplers
    std::optional<Nanos> second_began_;
    std::vector<LastSecond> last_second_;  // by worker index
    bool is_always_polled_ = false;        // idle workers poll as often as busy ones
    uint64_t late_ = 0;                    // number of seconds with far too few samples
};

}  // namespace sluice::control
