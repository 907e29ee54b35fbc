// SwitchServices: makes all services that run beside the workers of a switch, in the order of
// service_order.h. Services that need devices get functions that use them.
//
// The last service is destroyed first, so no service outlives what it uses.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "config/configuration.h"
#include "control/background.h"
#include "control/capture/captures.h"
#include "control/events/event_sink.h"
#include "control/hotplug/hotplug.h"
#include "control/managers.h"
#include "control/proof/cable_trials.h"
#include "control/publish.h"
#include "control/runtime/runtime.h"
#include "control/service_list.h"
#include "control/state/counter_bases.h"
#include "control/state/state_keeper.h"
#include "control/watch/rate_watch.h"

namespace sluice::control {

struct SwitchServices {
    // The objects that the services use; all outlive them.
    struct Parts {
        Runtime& runtime;
        EventSink& events;
        Background& background;
        std::function<View()> view;                // returns the state of the switch for `show`
        std::string host_name;                     // the system name if the configuration has none
        std::function<uint64_t()> lost_log_lines;  // lines lost so far; empty: not known
    };
    // `configuration` is complete: the addresses of ports are filled in.
    SwitchServices(const Parts& parts, config::Configuration configuration);
    SwitchServices(const SwitchServices&) = delete;
    SwitchServices& operator=(const SwitchServices&) = delete;

    [[nodiscard]] const config::Configuration& running() const { return publisher.running(); }
    // Called when other settings have been adopted. The workers already use them; the services for
    // ports follow.
    void follow_settings();

  private:
    const Parts parts_;

  public:
    ServiceList list;
    Publisher publisher;
    CounterBases counters;
    Managers managers;
    Captures captures;
    RateWatch rates;
    StateKeeper state;
    Hotplug hotplug;
    CableTrials trials;

  private:
    void add_all();
    // Records that the capabilities in `seen` are proven for the port, and writes the proofs to
    // their file in the background.
    void prove(PortIndex port, const Seen& seen);
};

}  // namespace sluice::control
