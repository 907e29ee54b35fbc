// The watches of a switch: services that look at it again and again, to report what an operator
// should know. A watch that is tested by itself with plain values (loss_watch.h, relay_watch.h,
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

// The parts that the watches look at; all outlive them.
struct WatchedSwitch {
    Switch& dataplane;
    const Publisher& publisher;
    EventSink& events;
    // Whether the port exists, is not about to be removed, and its device has not vanished.
    std::function<bool(PortIndex)> is_there;
    // Frames that the port's device lost before the switch saw them.
    std::function<uint64_t(PortIndex)> missed;
    // By port, as far as they are known.
    std::function<std::span<const PortAbilities>()> abilities;
    // Pause frames that a port received which was in this slot before.
    std::function<uint64_t(PortIndex)> pauses_before;
    // A pause frame came in, which proves that the port receives them.
    std::function<void(PortIndex)> proved_to_receive;
    // LLDP's agents, by port, which know the neighbours.
    std::function<std::span<const lldp::Agent>()> lldp_agents;
    // LLDP sends at once there.
    std::function<void(PortIndex, Nanos)> announce;
    // Lines of the log that were lost so far; nothing: nobody can say.
    std::function<std::optional<uint64_t>()> lost_log_lines;
};

void add_watches(ServiceList& services, const WatchedSwitch& watched);

}  // namespace sluice::control
