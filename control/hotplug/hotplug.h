// Hotplug: changes the ports of a running switch: links going up and down, ports that are
// administratively down or up, renamed, added or removed, or that return with their device.
//
// A configuration is adopted in two phases: all checks are made, and all devices opened, before
// anything running is changed. A port is removed in three ticks: it goes down, which the peer sees;
// the workers release it; it is closed.
// Bound: a tick looks at every port. It never makes a worker wait.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "control/capture/captures.h"
#include "control/events/event_sink.h"
#include "control/managers.h"
#include "control/publish.h"
#include "control/runtime/runtime.h"
#include "control/service_list.h"
#include "control/state/counter_bases.h"

namespace sluice::control {

class Hotplug {
  public:
    // The objects that Hotplug uses; all outlive this object.
    struct Parts {
        Runtime& runtime;
        Publisher& publisher;
        EventSink& events;
        Managers& managers;
        ServiceList& services;
        Captures& captures;
        CounterBases& counters;
        // Called when other settings have been adopted.
        std::function<void()> follow_settings;
    };
    explicit Hotplug(const Parts& parts);
    Hotplug(const Hotplug&) = delete;
    Hotplug& operator=(const Hotplug&) = delete;

    // Adds the four services of Hotplug (service_order.h).
    void add_to(ServiceList& services);
    // Reads the links. Called before workers run.
    void look_at_all();
    // Called when workers run. `privileged`: the process still has the privileges of its start.
    void started(bool privileged) {
        started_ = true;
        privileged_ = privileged;
    }

    // Names of ports: the new names, and the last names of removed ports.
    struct Changes {
        std::vector<std::string> added;
        std::vector<std::string> removed;
        std::vector<std::string> renamed;
    };
    using Adopted = tl::expected<Changes, StartFailure>;
    // Adopts a configuration. `may_go_back`: refuses to remove ports that could not be opened
    // again.
    Adopted take_over(config::Configuration next, bool may_go_back);
    // Renames ports and returns their new names. A renamed port is the same port as long as its
    // device is the same: it keeps its counters.
    std::vector<std::string> follow_names();

    // Returns the links as last read, by port index.
    [[nodiscard]] const std::vector<pmd::Link>& links() const { return links_; }
    [[nodiscard]] bool is_there(PortIndex place) const {
        return parts_.runtime.has(parts_.publisher.running(), place);
    }

  private:
    [[nodiscard]] const std::string& port_name(PortIndex port) const {
        return parts_.publisher.running().ports[port].name;
    }
    [[nodiscard]] BitsPerSecond speed_of_tunnel(PortIndex port) const;
    pmd::Link look_at_link(PortIndex port);
    void watch_links();
    void follow_admin_statuses();
    void set_admin_status(PortIndex port, bool up);
    void follow_removals();
    void follow_returns();
    void reopen(PortIndex place);
    void install(PortIndex place, std::unique_ptr<pmd::Port> port, const std::string& kind);

    const Parts parts_;
    std::vector<pmd::Link> links_;
    PortSet admin_down_ = 0;           // ports whose links are administratively down
    PortSet about_to_go_down_ = 0;     // ports about to go down; workers send XON to their peers
    PortSet leaving_ = 0;              // removed ports that are not closed yet
    PortSet released_by_workers_ = 0;  // ports of `leaving_` that workers have released
    PortSet returning_ = 0;            // ports to be closed and opened again
    PortSet not_reopened_ = 0;         // ports whose failed reopening was reported
    bool privileged_ = false;
    bool started_ = false;
};

}  // namespace sluice::control
