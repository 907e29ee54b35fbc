// The watches of a switch: services that check it periodically and report what an operator should
// know. A watch that is tested by itself with plain values (loss_watch.h, relay_watch.h,
// ability_watch.h, move_watch.h) is tied to the switch here.
//
// Bound: a watch looks at every port, ten times a second or once (service_order.h).
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "control/events/event_sink.h"
#include "control/lldp/agent.h"
#include "control/port_abilities.h"
#include "control/publish.h"
#include "control/service_list.h"
#include "dataplane/switch.h"

namespace sluice::control {

// The objects and functions that the watches use; all outlive the watches.
struct WatchedSwitch {
    Switch& dataplane;
    const Publisher& publisher;
    EventSink& events;
    // Whether the port exists, is not about to be removed, and its device has not vanished.
    std::function<bool(PortIndex)> is_there;
    // Returns how many frames the port's device lost before the switch saw them.
    std::function<uint64_t(PortIndex)> missed;
    // Returns the known capabilities of ports, by port index.
    std::function<std::span<const PortAbilities>()> abilities;
    // Returns how many pause frames an earlier port in this slot received.
    std::function<uint64_t(PortIndex)> pauses_before;
    // Called when a pause frame was received, which proves that the port receives pause frames.
    std::function<void(PortIndex)> proved_to_receive;
    // Returns LLDP's agents by port index; they know the neighbours.
    std::function<std::span<const lldp::Agent>()> lldp_agents;
    // Makes LLDP send on the port at once.
    std::function<void(PortIndex, Nanos)> announce;
    // Returns how many lines of the log were lost; empty: not known.
    std::function<std::optional<uint64_t>()> lost_log_lines;
};

void add_watches(ServiceList& services, const WatchedSwitch& watched);

}  // namespace sluice::control
