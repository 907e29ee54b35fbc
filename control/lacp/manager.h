// LacpManager: LACP on the aggregations that use it (aggregator.h). It receives and sends by the
// dataplane's mailboxes, and sets in the dataplane which members carry data.
//
// A member carries no data until it is attached. When a port with link stops being a member, or
// goes administratively down, its partner gets a LACPDU: with long timeouts the partner would
// continue to send to the port for 90 s. Changes are reported, within the limits of EventSink. Time
// is an argument; `tick` takes the frames that have arrived and never waits for a worker.
// Bound: a call takes at most one mailbox of frames from each port.
// Not done here: access to devices and clocks; display (show/lacp.cc).
#pragma once

#include <span>
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
    // `configuration` is complete: the addresses of ports are filled in. The system id is chosen by
    // the constructor and stays the same when ports are added or removed.
    LacpManager(Switch& dataplane, const config::Configuration& configuration, EventSink& events);

    // Call before workers adopt the settings of `next` and before `configure`: a port that `next`
    // makes a member then carries no data from the first moment on.
    void prepare(const config::Configuration& next) override;
    // Applies new settings. Members that stay keep their LACP state (regroup.h).
    void configure(const config::Configuration& configuration, Nanos now) override;
    // Returns the ports whose LACP and statistics began with the last `configure`.
    [[nodiscard]] PortSet begun() const { return begun_; }
    void set_link(PortIndex port, Link link, Nanos now) override;
    // Takes received frames and sends the frames that are due. Ten times a second is often enough.
    void tick(Nanos now) override;
    // Sends every partner a last LACPDU (lacp::Port::farewell). Frames in queues are still sent.
    // Call it before the workers stop.
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
    // Sets the detached ports in the dataplane. `held`: further ports that are detached for now.
    void update_dataplane(PortSet held = 0);

    Switch& dataplane_;
    EventSink& events_;
    const MacAddress system_;
    std::vector<Link> links_;  // by port index
    PortSet admin_down_ = 0;   // ports that are administratively down
    std::vector<lacp::Aggregator> aggregators_;
    PortSet begun_ = 0;
};

}  // namespace sluice::control
