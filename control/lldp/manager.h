// LldpManager: LLDP on every port of a switch: an agent a port (agent.h), fed from the dataplane's
// mailboxes and sending by them, and whoever provides organisational TLVs.
//
// A provider is asked whenever the neighbours of its port change, and what it says goes out with
// the port's next frame, which is due at once when that changes. What changed is returned, for the
// event log. Time is an argument, and no worker is waited for: `proceed` takes what is there.
// Bound: a port's events beyond `event_burst` at once and one a second are left out, so that a peer
// that changes its name with every frame does not fill the log; a mailbox of frames a port a call.
// Not done here: devices, clocks, logging (daemon.h); how it is shown (show/lldp.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "control/lldp/agent.h"
#include "control/lldp/organisational.h"
#include "dataplane/address.h"
#include "dataplane/limits.h"
#include "dataplane/pfc/frame_limit.h"
#include "dataplane/switch.h"
#include "dataplane/units.h"

namespace sluice::control {

struct LldpEvent {
    PortIndex port = 0;
    lldp::NeighbourChange change;
};

class LldpManager {
  public:
    static constexpr uint32_t event_burst = 8;

    // `configuration` is complete: the addresses of ports are filled in. `host_name` stands where
    // the file gives the system no name.
    LldpManager(Switch& dataplane, const config::Configuration& configuration,
                std::string host_name);

    // Who provides TLVs for the port's LLDP from now on.
    void set_provider(PortIndex port, std::unique_ptr<lldp::TlvProvider> provider, Nanos now);

    // Is shown each frame that a port hears, and takes what is none of LLDP's business.
    using Listener = std::function<bool(PortIndex, std::span<const uint8_t>)>;
    void set_listener(Listener listener) { listener_ = std::move(listener); }

    std::vector<LldpEvent> configure(const config::Configuration& configuration, Nanos now);
    std::vector<LldpEvent> set_link(PortIndex port, bool up, Nanos now);
    // The port's neighbour may have started anew.
    void announce(PortIndex port, Nanos now) { agents_[port].announce(now); }
    // Takes what the ports heard and sends what is due. Ten times a second is often enough.
    std::vector<LldpEvent> proceed(Nanos now);
    // Tells every neighbour that we are gone. Before the workers stop, so that they send it.
    std::vector<LldpEvent> stop(Nanos now);

    [[nodiscard]] std::span<const lldp::Agent> agents() const { return agents_; }
    // Of whoever is at the other end of each port, the addresses that he goes by.
    [[nodiscard]] std::vector<std::vector<MacAddress>> stations() const;

  private:
    void take_over(PortIndex port, lldp::NeighbourChanges changes, Nanos now,
                   std::vector<LldpEvent>& events);
    lldp::NeighbourChanges receive(PortIndex port, Nanos now);
    void send(PortIndex port, Nanos now);
    template <class Visit>
    std::vector<LldpEvent> on_each_port(Nanos now, Visit visit);

    Switch& dataplane_;
    const MacAddress bridge_address_;
    std::string host_name_;
    std::vector<lldp::Agent> agents_;                            // by port
    std::vector<std::unique_ptr<lldp::TlvProvider>> providers_;  // by port; null: nobody
    std::vector<FrameLimit> event_limits_;                       // by port
    Listener listener_;
};

// One line for people: who it is and what it calls its port.
std::string text_of(const lldp::NeighbourChange& change);
// `lldp_neighbour_added`, ...
std::string kind_of(lldp::NeighbourEvent event);

}  // namespace sluice::control
