// RelayWatch: reports problems of relayed pauses (dataplane/pfc/pause_relay.h) to the operator: a
// pause that lasts too long and is cut; another end without link or answer, so that pauses are
// obeyed by this switch; a delay longer than `pfc.relay_delay`; and pauses that were refused, for
// their depth or their number.
//
// States are reported when they begin and end, counts at once and then every 10 s
// (EventSink::growth). A relay that never worked is reported only after `patience`, as it takes a
// while until a tunnel is up. A delay counts as over when none of the most recent answers took
// longer than `pfc.relay_delay` (relay_probe.h). Not done here: measuring and refusing; peers that
// pause without end (the watchdog).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "config/configuration.h"
#include "control/events/event_sink.h"
#include "dataplane/switch.h"

namespace sluice::control {

class RelayWatch {
  public:
    struct Subject {
        const Switch& dataplane;
        const Settings& settings;  // the settings that were last published
        std::span<const config::PortConfig> ports;
        Nanos now;  // time by the workers' clock
    };

    // The reported state of one port.
    struct Reported {
        std::optional<Nanos> seen_at;  // when the port first had link
        bool relayed = false;  // pauses were relayed since `seen_at`, or `relay_down` was reported
        bool obeys = false;    // the switch obeyed pauses at the last check
        PrioritySet cut = 0;
        bool late = false;
        bool begins_anew = false;  // counts of an earlier port in the slot are not reported
    };

    static constexpr Nanos patience{5'000'000'000};

    RelayWatch(std::size_t ports, EventSink& events) : ports_(ports), events_(events) {}

    void look(const Subject& subject, EventSink::Time time);
    // Forgets the reports about a port that another port has replaced.
    void forget(PortIndex port) { ports_[port] = {.begins_anew = true}; }

  private:
    std::vector<Reported> ports_;
    EventSink& events_;
};

}  // namespace sluice::control
