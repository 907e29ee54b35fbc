// DcbxManager: DCBX on all ports of a switch: each port has an agent (agent.h), which provides TLVs
// for the port's LLDP and gets the port's settings. Agreements of port and peer override the
// settings (publish.h); events are reported to the operator.
//
// The agreements of all ports become one change of settings. Events report when values of the peer
// begin or cease to be in force, and mismatches. Time is an argument.
// Bound: events are within the limits of EventSink, which counts a feature of a port as one
// subject, so that a peer that changes with every frame does not fill the log; an event that the
// limits delay reports the state at the time of the report. Not done here: LLDP (lldp/manager.h),
// display (show/dcbx.cc).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "config/configuration.h"
#include "control/dcbx/agent.h"
#include "control/events/event_sink.h"
#include "control/port_abilities.h"
#include "control/publish.h"
#include "control/service.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class DcbxManager final : public Service {
  public:
    // `abilities`: capabilities by port index. A port without an entry counts as capable.
    DcbxManager(Publisher& publisher, Nanos now, EventSink& events,
                std::vector<PortAbilities> abilities = {});

    // Returns the provider of the port's DCBX TLVs for its LLDP agent. It must not outlive this
    // manager.
    [[nodiscard]] std::unique_ptr<lldp::TlvProvider> tlv_provider(PortIndex port);

    // Sets the capabilities of a port that the next `adopt` adds or removes.
    void set_abilities(PortIndex port, PortAbilities abilities) {
        abilities_[port] = std::move(abilities);
    }
    // Sets a port's capabilities and applies them at once.
    void update_abilities(PortIndex port, PortAbilities abilities, Nanos now);
    // Makes the publisher adopt `next` together with the agreements that ports reach under `next`,
    // unless a port lacks a capability that `next` requires. Call it before the LLDP manager's
    // `configure`, which sends the new TLVs.
    tl::expected<void, std::vector<std::string>> adopt(config::Configuration next, Nanos now);
    // Applies new agreements. An agreement is refused if the buffer has no room for it: the port
    // then advertises its own settings again, so LLDP has to be updated after this call too.
    void apply_agreed(Nanos now);
    void configure(const config::Configuration& /*running*/, Nanos now) override {
        apply_agreed(now);
    }
    void tick(Nanos now) override { apply_agreed(now); }

    [[nodiscard]] const std::vector<dcbx::Agent>& agents() const { return agents_; }
    // Whether the port's agreement is not in effect because headroom is missing.
    [[nodiscard]] bool lacks_room(PortIndex port) const {
        return (publisher_.without_room() & only(port)) != 0;
    }

  private:
    // The last reported state of a port.
    struct Reported {
        std::array<dcbx::FeatureStatus, dcbx::feature_names.size()> rows;  // by feature
        PrioritySet defence = 0;
        PrioritySet held = 0;
        bool lacked_room = false;
        bool many_peers = false;
        std::string faults;  // faults in the peer's last frame
    };

    void follow_settings(Nanos now);
    [[nodiscard]] std::vector<Negotiated> agreed() const;
    bool bring_into_effect(Nanos now);
    void compare(PortIndex port, Nanos now);

    Publisher& publisher_;
    EventSink& events_;
    // These three are indexed by port.
    std::vector<PortAbilities> abilities_;
    std::vector<dcbx::Agent> agents_;
    std::vector<Reported> reported_;
};

// Returns the settings that a port advertises. A port that cannot keep PFC advertises that it has
// none.
dcbx::Local local_of(const config::PortDcbxConfig& dcbx, const PortSettings& settings,
                     bool keeps_pfc = true);
// Returns the agreements that replace configured values.
Negotiated negotiated_by(const dcbx::Agent& agent, const PortSettings& written);

}  // namespace sluice::control
