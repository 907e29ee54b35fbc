// LacpManager: LACP on the aggregations that have it (aggregator.h): fed from the dataplane's
// mailboxes and sending by them, and telling the dataplane which members carry data.
//
// A member carries none until it is attached. What changed is returned, for the event log. Time is
// an argument, and no worker is waited for: `proceed` takes what is there.
// Bound: a port's events beyond `event_burst` at once and one a second are left out; a mailbox of
// frames a port a call.
// Not done here: devices, clocks, logging (daemon.h); how it is shown (show/lacp.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "control/lacp/aggregator.h"
#include "dataplane/limits.h"
#include "dataplane/pfc/frame_limit.h"
#include "dataplane/switch.h"
#include "dataplane/units.h"

namespace sluice::control {

struct LacpEvent {
    PortIndex port = 0;
    bool warning = false;
    std::string kind;  // `lacp_attached`, `lacp_detached`, `lacp_refused`
    std::string text;
};

class LacpManager {
  public:
    static constexpr uint32_t event_burst = 8;

    // `configuration` is complete: the addresses of ports are filled in.
    LacpManager(Switch& dataplane, const config::Configuration& configuration);

    // An aggregation that keeps its members goes on; others begin anew.
    std::vector<LacpEvent> configure(const config::Configuration& configuration, Nanos now);
    std::vector<LacpEvent> set_link(PortIndex port, bool up, BitsPerSecond speed, Nanos now);
    // Takes what the ports heard and sends what is due. Ten times a second is often enough.
    std::vector<LacpEvent> proceed(Nanos now);
    // Tells every partner that we are gone, once: what waits still leaves. Before the workers stop.
    void stop();

    [[nodiscard]] std::span<const lacp::Aggregator> aggregators() const { return aggregators_; }

  private:
    struct Link {
        bool up = false;
        BitsPerSecond speed;
    };

    [[nodiscard]] lacp::Aggregator* find(PortIndex port);
    void hear(lacp::Aggregator& aggregator, Nanos now);
    void send(lacp::Aggregator& aggregator, Nanos now);
    void tell_dataplane();

    Switch& dataplane_;
    std::vector<Link> links_;  // by port
    std::vector<lacp::Aggregator> aggregators_;
    std::vector<FrameLimit> event_limits_;  // by port
};

}  // namespace sluice::control
