// Service: a part of control with a state of its own: it follows the configuration and the links,
// and does its due work at each call.
//
// service_order.h defines how often and in which order services are called. Each call does nothing
// by default, because few services need all calls. Time is an argument; no call may wait. Only the
// thread of the control loop makes the calls.
#pragma once

#include <chrono>

#include "config/configuration.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class Service {
  public:
    struct Link {
        bool up = false;
        BitsPerSecond speed = {};
    };

    Service() = default;
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;
    virtual ~Service() = default;

    // Called before workers get the settings of `next`; `configure` is called afterwards.
    virtual void prepare(const config::Configuration& /*next*/) {}
    // Called when workers have the settings of `running`.
    virtual void configure(const config::Configuration& /*running*/, Nanos /*now*/) {}
    // Called when the link of a port goes up or down, or changes its speed.
    virtual void set_link(PortIndex /*port*/, Link /*link*/, Nanos /*now*/) {}
    virtual void tick(Nanos /*now*/) {}
    // Called when another port takes the slot of this port: the state of this port has to be
    // forgotten.
    virtual void forget(PortIndex /*port*/) {}
    // Called when the switch stops.
    virtual void stop(Nanos /*now*/) {}

    // Returns the time between two ticks of a service in `own_period` (service_order.h). 0: no tick
    // is due until something changes.
    [[nodiscard]] virtual std::chrono::milliseconds period() const { return {}; }
};

}  // namespace sluice::control
