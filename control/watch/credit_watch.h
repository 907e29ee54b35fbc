// CreditWatch: reports, for each port, that it uses credit, or why it uses PFC instead.
//
// Nothing is reported while credit is being set up or the port has no link. A peer that refuses
// credit may have restarted without a change of the link, and may not have received LLDP from this
// port yet. So each refusal makes LLDP send on the port at once.
// Bound: a few words a port.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "control/events/event_sink.h"
#include "control/publish.h"
#include "control/service.h"
#include "dataplane/switch.h"

namespace sluice::control {

class CreditWatch final : public Service {
  public:
    using Announce = std::function<void(PortIndex port, Nanos now)>;
    CreditWatch(Switch& dataplane, const Publisher& publisher, EventSink& events, Announce announce)
        : dataplane_(dataplane),
          publisher_(publisher),
          events_(events),
          announce_(std::move(announce)),
          seen_(publisher.running().ports.size()) {}

    void tick(Nanos now) override;

  private:
    struct Seen {
        CreditState reported = CreditState::no_link;
        uint64_t refusals = 0;
    };

    Switch& dataplane_;
    const Publisher& publisher_;
    EventSink& events_;
    const Announce announce_;
    std::vector<Seen> seen_;  // by port index
};

}  // namespace sluice::control
