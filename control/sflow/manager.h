// SflowManager: sFlow of a switch: takes the workers' samples, reads counters that are due, and
// sends both to the collectors.
//
// If sFlow is off the manager does nothing. Time is an argument, and no call waits for a worker.
// Changes of a collector's state are reported.
// Bound: a call empties the rings of the workers (dataplane/sflow), and reads counters of the ports
// that are due; the ports are spread over the interval.
#pragma once

#include <vector>

#include "config/configuration.h"
#include "control/events/event_sink.h"
#include "control/export/collectors.h"
#include "control/service.h"
#include "control/sflow/agent.h"
#include "dataplane/switch.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class SflowManager final : public Service {
  public:
    // `settings`: the settings that the workers run with.
    SflowManager(Switch& dataplane, const config::Configuration& configuration,
                 const Settings& settings, Nanos now, EventSink& events);

    void configure(const config::Configuration& configuration, Nanos now) override;
    [[nodiscard]] bool is_on() const { return !collectors_.empty(); }
    // Called at least ten times a second while sFlow is on, because a sample has to be sent within
    // a second.
    void tick(Nanos now) override;
    [[nodiscard]] std::chrono::milliseconds period() const override {
        return std::chrono::milliseconds(is_on() ? 20 : 0);
    }
    // Sends the last samples.
    void stop(Nanos now) override { tick(now); }

    // --- state for `show` -----------------------------------------------------------------------
    [[nodiscard]] const Collectors& collectors() const { return collectors_; }
    [[nodiscard]] const sflow::Agent& agent() const { return agent_; }
    [[nodiscard]] Nanos polling() const { return polling_; }
    // Returns how many samples of the port found no room at a worker.
    [[nodiscard]] uint64_t drops(PortIndex port) const;

  private:
    void choose_address(Nanos now);
    void take_samples(Nanos now);
    void read_counters(Nanos now);
    [[nodiscard]] sflow::InterfaceCounters counters_of(PortIndex port) const;

    Switch& dataplane_;
    const Settings& settings_;
    EventSink& events_;
    Collectors collectors_;
    Nanos polling_;
    std::vector<uint8_t> written_address_;  // empty: the address of the first collector's socket
    PortSet there_ = 0;                     // ports that exist
    PortSet promiscuous_ = 0;               // ports in promiscuous mode
    Nanos now_;                             // time of the call
    sflow::Agent agent_;
};

}  // namespace sluice::control
