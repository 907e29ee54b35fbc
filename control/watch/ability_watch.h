// AbilityWatch: reports, port by port, capabilities that the settings need and that were not
// verified on this device, and the first pause frame from the wire, which proves that the port
// receives them.
//
// Each such state is reported once while it lasts, and again only if new settings end the state and
// cause it anew. Bound: a few words a port. Not done here: refusing what a port cannot do
// (port_abilities.h).
#pragma once

#include <functional>
#include <span>

#include "config/configuration.h"
#include "control/events/event_sink.h"
#include "control/port_abilities.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

class AbilityWatch {
  public:
    // Returns whether a pause frame of the port's peer was received.
    using PauseReceived = std::function<bool(PortIndex)>;

    explicit AbilityWatch(EventSink& events) : events_(events) {}

    // Reports changes. Returns the ports that received their first pause frame.
    PortSet look(const config::Configuration& configuration,
                 std::span<const PortAbilities> abilities, const PauseReceived& pause_received);

    // Forgets the reports about a port that another port has replaced.
    void forget(PortIndex port);

  private:
    EventSink& events_;
    PortSet unproven_ = 0;  // this set and the next two: ports as last reported
    PortSet swallowed_ = 0;
    PortSet pauses_received_ = 0;
};

}  // namespace sluice::control
