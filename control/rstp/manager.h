// RstpManager: the spanning tree of a switch (bridge.h). It receives and sends by the dataplane's
// mailboxes, and sets in the dataplane which ports forward, learn or discard.
//
// A port of the tree is a bridge port: an aggregation is one, with the settings of its first
// member. A BPDU is accepted from any member, and sent by the lowest member that carries frames.
// Ports discard from the first moment on: before workers run, or before they adopt the settings
// that make the port part of the tree. Changes are reported, within the limits of EventSink. Time
// is an argument, and no call waits for a worker.
// Bound: a call takes at most one mailbox of frames from each port.
// Not done here: access to devices and clocks; display (show/spanning_tree.cc).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "control/events/event_sink.h"
#include "control/rstp/bridge.h"
#include "control/service.h"
#include "dataplane/switch.h"
#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class RstpManager final : public Service {
  public:
    // `configuration` is complete: the addresses of ports are filled in. The bridge identifier is
    // chosen by the constructor and stays the same when ports are added or removed.
    RstpManager(Switch& dataplane, const config::Configuration& configuration, EventSink& events);

    // Call before workers adopt the settings of `next` and before `configure`: ports that `next`
    // makes new ports of the tree discard from then on.
    void prepare(const config::Configuration& next) override;
    void configure(const config::Configuration& configuration, Nanos now) override;
    // Sets a port's link. Its path cost follows the speed if the configuration has no cost.
    void set_link(PortIndex port, Link link, Nanos now) override;
    // Takes the received BPDUs and sends those that are due. Each exchange between two bridges
    // takes as long as the time between two calls.
    void tick(Nanos now) override;
    [[nodiscard]] std::chrono::milliseconds period() const override;

    [[nodiscard]] bool is_on() const { return bridge_.has_value(); }
    // Returns null if there is no spanning tree.
    [[nodiscard]] const rstp::Bridge* bridge() const { return bridge_ ? &*bridge_ : nullptr; }

    // Return the name and the members of a port of the tree, given the index of its first member.
    // An aggregation has its own name.
    [[nodiscard]] const std::string& name(PortIndex port) const { return ports_[port].name; }
    [[nodiscard]] PortSet members(PortIndex port) const { return ports_[port].members; }

  private:
    // A bridge port, at the index of its first member.
    struct BridgePort {
        PortSet members = 0;
        config::PortSpanningTreeConfig config;
        std::string name;
    };
    using BridgePorts = std::array<BridgePort, max_ports>;

    [[nodiscard]] static BridgePorts bridge_ports_of(const config::Configuration& configuration);
    [[nodiscard]] rstp::PortSettings settings_of(const BridgePort& port) const;
    void set_up(const config::Configuration& configuration, Nanos now);
    void advance(Nanos now);
    void report(Nanos now);
    void receive(Nanos now);
    void send(Nanos now);
    void update_dataplane(PortSet held = 0);
    [[nodiscard]] PortSet members_in(rstp::State state) const;
    [[nodiscard]] Event event_of(const rstp::Change& change) const;

    Switch& dataplane_;
    EventSink& events_;
    const MacAddress address_;
    BridgePorts ports_;
    std::vector<BitsPerSecond> speeds_;   // speeds of links by port index
    std::vector<MacAddress> addresses_;   // by port index
    std::optional<rstp::Bridge> bridge_;  // empty: no spanning tree
};

// Returns the PortPathCost that 802.1D-2004 table 17-3 recommends for a speed.
uint32_t path_cost_of(BitsPerSecond speed);

}  // namespace sluice::control
