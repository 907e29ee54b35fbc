// LacpManager: LACP on the aggregations that have it (aggregator.h): fed from the dataplane's
// mailboxes and sending by them, and setting in the dataplane which members carry data.
//
// A member carries none until it is attached. A partner gets a LACPDU about a port that is no
// member any more, or goes administratively down, while there is still link: with long timeouts it
// would go on sending to it for 90 s. What changed is reported, within the limit of the sink. Time
// is an argument, and no worker is waited for: `tick` takes what is there.
// Bound: a mailbox of frames a port a call.
// Not done here: devices, clocks; how it is shown (show/lacp.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "control/events/event_sink.h"
#include "control/lacp/aggregator.h"
#include "control/lacp/regroup.h"
#include "control/service.h"
#include "dataplane/switch.h"
#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class LacpManager final : public Service {
  public:
    // `configuration` is complete: the addresses of ports are filled in. What the switch is called
    // stays as of then, whatever ports come and go.
    LacpManager(Switch& dataplane, const config::Configuration& configuration, EventSink& events);

    // Before workers have the settings of `next`, which `configure` is to follow with: a port that
    // these make a member carries no data as one from the first moment on.
    void prepare(const config::Configuration& next) override;
    // Members that stay go on (regroup.h).
    void configure(const config::Configuration& configuration, Nanos now) override;
    // Whose LACP, and its statistics, began with the last `configure`.
    [[nodiscard]] PortSet begun() const { return begun_; }
    void set_link(PortIndex port, Link link, Nanos now) override;
    // Takes what the ports received and sends what is due. Ten times a second is often enough.
    void tick(Nanos now) override;
    // Sends every partner one LACPDU that we are gone: frames that wait still leave. Before the
    // workers stop.
    void stop(Nanos now) override;

    [[nodiscard]] std::span<const lacp::Aggregator> aggregators() const { return aggregators_; }

  private:
    [[nodiscard]] std::vector<lacp::Wanted> wanted_by(
        const config::Configuration& configuration) const;
    [[nodiscard]] bool is_up(PortIndex port) const;
    [[nodiscard]] lacp::Aggregator* find(PortIndex port);
    std::vector<lacp::Change> regroup(const config::Configuration& configuration, Nanos now);
    std::vector<lacp::Change> advance(Nanos now);
    void report(const std::vector<lacp::Change>& changes, Nanos now);
    void send_last_lacpdu(const lacp::Aggregator::Member& member);
    void receive(lacp::Aggregator& aggregator, Nanos now);
    void send(lacp::Aggregator& aggregator, Nanos now);
    // `held`: likewise detached, for now.
    void update_dataplane(PortSet held = 0);

    Switch& dataplane_;
    EventSink& events_;
    const MacAddress system_;
    std::vector<Link> links_;  // by port
    PortSet admin_down_ = 0;   // administratively
    std::vector<lacp::Aggregator> aggregators_;
    PortSet begun_ = 0;
};

}  // namespace sluice::control
