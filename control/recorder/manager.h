// RecorderManager: the recorder of a switch: lends reels to the workers, takes their recordings,
// finds the bursts in them, and keeps the last recordings.
//
// The configuration applies from the start, and again whenever it changes; in between an operator
// may start and stop the recorder. Each start discards the old recordings, but numbers continue. A
// reel is freed once its worker has released it.
// Bound: `keep` recordings, each a part of the memory of each worker (dataplane/recorder/reel.h); a
// call copies the parts that workers handed over since the last call. Events: one recording a
// second is reported, with the number of the others. It never waits for a worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "control/events/event_sink.h"
#include "control/lent_to_workers.h"
#include "control/recorder/recording.h"
#include "control/service.h"
#include "dataplane/recorder/reel.h"
#include "dataplane/switch.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class RecorderManager final : public Service {
  public:
    // The workers' clock.
    using Clock = std::function<Nanos()>;

    RecorderManager(Switch& dataplane, const config::Configuration& configuration, Clock clock,
                    EventSink& events);
    RecorderManager(const RecorderManager&) = delete;
    RecorderManager& operator=(const RecorderManager&) = delete;

    void configure(const config::Configuration& configuration, Nanos now) override;
    void start_recording();
    void stop_recording();
    // Makes a recording now. Returns false if the recorder is off.
    bool trigger();
    void tick(Nanos now) override;
    // The period is short enough, because workers keep eight recordings until they are taken.
    [[nodiscard]] std::chrono::milliseconds period() const override {
        return std::chrono::milliseconds(lent_.has_any() ? 5 : 0);
    }

    // --- state for `show` -----------------------------------------------------------------------
    [[nodiscard]] bool is_on() const { return lent_.lent() != nullptr; }
    [[nodiscard]] const RecorderSettings& settings() const { return config_.settings; }
    [[nodiscard]] const std::deque<Recording>& recordings() const { return recordings_; }
    [[nodiscard]] const Recording* find(uint64_t number) const;
    [[nodiscard]] uint64_t made() const { return made_; }
    [[nodiscard]] uint64_t bursts() const { return bursts_; }
    // Return counts over all workers since the recorder was started: samples taken; samples lost
    // because no memory was free; the longest time between two samples.
    [[nodiscard]] uint64_t samples() const;
    [[nodiscard]] uint64_t samples_lost() const;
    [[nodiscard]] Nanos longest_distance() const;

  private:
    // The workers' reels from one start to the next stop.
    struct Running {
        std::unique_ptr<TriggerBoard> board;
        std::vector<std::unique_ptr<Reel>> by_worker;
    };

    void collect();
    void finish(Recording recording);
    [[nodiscard]] std::string text_of(const Recording& recording) const;

    Switch& dataplane_;
    EventSink& events_;
    Clock clock_;
    config::RecorderConfig config_;
    std::vector<std::string> ports_;  // names by port index
    LentToWorkers<Reel, Running> lent_;
    std::map<uint32_t, Recording> under_way_;  // by round number
    std::deque<Recording> recordings_;
    uint64_t made_ = 0;
    uint64_t bursts_ = 0;
    uint64_t samples_before_ = 0;  // samples of earlier starts
    uint64_t lost_before_ = 0;
    uint64_t unreported_ = 0;  // recordings that were not reported yet
    std::optional<std::string> newest_;
    std::optional<std::chrono::steady_clock::time_point> reported_at_;
};

}  // namespace sluice::control
