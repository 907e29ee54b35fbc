// Managers: the protocols and functions of a switch that do not use devices, and their connections:
// DCBX and credit use LLDP, and a port with pfc.strict obeys the pauses of its LLDP neighbours.
// Each manager is a service, and is added to the list of services.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "control/dcbx/manager.h"
#include "control/events/event_sink.h"
#include "control/evpn/manager.h"
#include "control/ipfix/manager.h"
#include "control/lacp/manager.h"
#include "control/lldp/manager.h"
#include "control/loop_guard/manager.h"
#include "control/neighbours/manager.h"
#include "control/port_abilities.h"
#include "control/publish.h"
#include "control/querier/manager.h"
#include "control/recorder/manager.h"
#include "control/rstp/manager.h"
#include "control/service_list.h"
#include "control/sflow/manager.h"
#include "dataplane/switch.h"

namespace sluice::control {

struct Managers {
    // The objects that the managers use; all outlive them.
    struct Parts {
        Switch& dataplane;
        Publisher& publisher;
        EventSink& events;
        std::function<Nanos()> clock;               // the workers' clock
        std::function<void()> wake;                 // wakes workers that sleep
        std::string host_name;                      // the system name if the configuration has none
        std::vector<PortAbilities> abilities = {};  // by port index
        EvpnManager::BundleOf bundle_of = [](PortIndex) { return nullptr; };
    };
    explicit Managers(const Parts& parts);

    void add_to(ServiceList& services);

    // Destroyed from the last to the first.
    DcbxManager dcbx;
    LldpManager lldp;
    LacpManager lacp;
    QuerierManager querier;
    NeighbourManager neighbours;
    RstpManager rstp;
    LoopGuardManager loop_guard;
    EvpnManager evpn;
    RecorderManager recorder;
    SflowManager sflow;
    IpfixManager ipfix;

  private:
    Publisher& publisher_;
};

}  // namespace sluice::control
