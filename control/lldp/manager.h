// LldpManager: LLDP on all ports of the switch: one agent for each port (agent.h), whose frames are
// received and sent by the dataplane's mailboxes, and the providers of organisational TLVs, such as
// DCBX.
//
// Whenever the neighbours of a port change, the provider of the port gets them and returns the TLVs
// to send; if these differ from the TLVs sent before, a frame with them is due at once. Changes
// among neighbours are reported, within the limits of EventSink: a peer that changes its name with
// each frame does not fill the log. Time is an argument, and no call waits for a worker.
// Bound: a call takes at most one mailbox of frames from each port.
// Not done here: access to devices and clocks; the noun `lldp` (show/lldp.cc).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "control/events/event_sink.h"
#include "control/lldp/agent.h"
#include "control/lldp/organisational.h"
#include "control/service.h"
#include "dataplane/switch.h"
#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class LldpManager final : public Service {
  public:
    // `configuration` is complete: the addresses of ports are filled in. `host_name`: the system
    // name if the configuration has none.
    LldpManager(Switch& dataplane, const config::Configuration& configuration,
                std::string host_name, EventSink& events);

    // Sets the provider of the port's organisational TLVs.
    void set_provider(PortIndex port, std::unique_ptr<lldp::TlvProvider> provider, Nanos now);

    // Called with each frame before the agent. Returns true if the frame is for the listener; then
    // the agent does not get the frame.
    using Listener = std::function<bool(PortIndex, std::span<const uint8_t>)>;
    void set_listener(Listener listener) { listener_ = std::move(listener); }

    void configure(const config::Configuration& configuration, Nanos now) override;
    void set_link(PortIndex port, Link link, Nanos now) override;
    // Starts fast transmission on the port, because its neighbour may have restarted.
    void announce(PortIndex port, Nanos now) { agents_[port].announce(now); }
    // Takes received frames and sends the frames that are due. Called ten times a second.
    void tick(Nanos now) override;
    // Sends shutdown LLDPDUs. Called while the workers still run, because they send the frames.
    void stop(Nanos now) override;

    [[nodiscard]] std::span<const lldp::Agent> agents() const { return agents_; }
    // Returns the addresses of the neighbours of each port (`addresses_of`), by port index.
    [[nodiscard]] std::vector<std::vector<MacAddress>> neighbour_addresses() const;

  private:
    void apply(PortIndex port, lldp::NeighbourChanges changes, Nanos now);
    lldp::NeighbourChanges receive(PortIndex port, Nanos now);
    void send(PortIndex port, Nanos now);
    template <class Visit>
    void on_each_port(Nanos now, Visit visit);

    Switch& dataplane_;
    EventSink& events_;
    const MacAddress bridge_address_;
    std::string host_name_;
    std::vector<lldp::Agent> agents_;                            // by port index
    std::vector<std::unique_ptr<lldp::TlvProvider>> providers_;  // by port index; may be null
    Listener listener_;
};

// Returns one line for the event log: system name, chassis ID and port ID, and what happened.
std::string text_of(const lldp::NeighbourChange& change);
// Returns the event's kind: `lldp_neighbour_added`, `_changed` or `_removed`.
std::string kind_of(lldp::NeighbourEvent event);

}  // namespace sluice::control
