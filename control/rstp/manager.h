// RstpManager: the spanning tree of a switch (bridge.h): fed from the dataplane's mailboxes and
// sending by them, and setting in the dataplane which ports forward, learn or discard.
//
// A port of the tree is a bridge port: an aggregation is one, by the settings of its first member.
// A BPDU counts whichever member it came by, and leaves by the lowest that carries frames. Ports
// discard from the first moment on: from before workers run, or from before they have the settings
// that make them ports of the tree. What changed is reported, within the limit of the sink. Time is
// an argument, and no worker is waited for.
// Bound: a mailbox of frames a port a call.
// Not done here: devices, clocks; how it is shown (show/spanning_tree.h).
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
    // `configuration` is complete: the addresses of ports are filled in. What the switch is called
    // stays as of then, whatever ports come and go.
    RstpManager(Switch& dataplane, const config::Configuration& configuration, EventSink& events);

    // Before workers have the settings of `next`, which `configure` is to follow with: what these
    // make another port of the tree discards.
    void prepare(const config::Configuration& next) override;
    void configure(const config::Configuration& configuration, Nanos now) override;
    // The path cost follows the speed where none is written.
    void set_link(PortIndex port, Link link, Nanos now) override;
    // Takes what the ports received and sends what is due. Each wait of two bridges for each other
    // takes as long as it is between two calls.
    void tick(Nanos now) override;
    [[nodiscard]] std::chrono::milliseconds period() const override;

    [[nodiscard]] bool is_on() const { return bridge_.has_value(); }
    // Null: there is no spanning tree.
    [[nodiscard]] const rstp::Bridge* bridge() const { return bridge_ ? &*bridge_ : nullptr; }

    // Of a port of the tree, by the number of its first member: what it is called, an aggregation
    // by its own name, and its members.
    [[nodiscard]] const std::string& name(PortIndex port) const { return ports_[port].name; }
    [[nodiscard]] PortSet members(PortIndex port) const { return ports_[port].members; }

  private:
    // Of a bridge port, at the place of its first member.
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
    std::vector<BitsPerSecond> speeds_;   // of links, by port
    std::vector<MacAddress> addresses_;   // likewise
    std::optional<rstp::Bridge> bridge_;  // while it is on
};

// PortPathCost that 802.1D-2004 table 17-3 recommends for a speed.
uint32_t path_cost_of(BitsPerSecond speed);

}  // namespace sluice::control
