// SflowManager: sFlow of a switch: takes the workers' samples, reads counters that are due, and
// sends both to the collectors.
//
// If sFlow is off it does nothing. Time is an argument; it never waits for a worker. Changes of a
// collector's state are reported.
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
    // `settings`: what the workers have.
    SflowManager(Switch& dataplane, const config::Configuration& configuration,
                 const Settings& settings, Nanos now, EventSink& events);

    void configure(const config::Configuration& configuration, Nanos now) override;
    [[nodiscard]] bool is_on() const { return !collectors_.empty(); }
    // Some ten times a second at least, while it is on: a sample is to be sent within a second.
    void tick(Nanos now) override;
    [[nodiscard]] std::chrono::milliseconds period() const override {
        return std::chrono::milliseconds(is_on() ? 20 : 0);
    }
    // Sends what came last.
    void stop(Nanos now) override { tick(now); }

    // --- what is shown --------------------------------------------------------------------------
    [[nodiscard]] const Collectors& collectors() const { return collectors_; }
    [[nodiscard]] const sflow::Agent& agent() const { return agent_; }
    [[nodiscard]] Nanos polling() const { return polling_; }
    // Samples of the port for which a worker had no room.
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
    std::vector<uint8_t> written_address_;  // empty: that of the first collector's socket
    PortSet there_ = 0;                     // ports, and
    PortSet promiscuous_ = 0;               // those of them that are
    Nanos now_;                             // of the call
    sflow::Agent agent_;
};

}  // namespace sluice::control
