// Service: a part of control with a state of its own: it follows the configuration and the links,
// and does its due work at each call.
//
// service_order.h defines how often and in which order services are called. Each call has a default
// that does nothing, since few services need all calls. Time is an argument; no call may wait. One
// thread, the control loop's.
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

    // Workers are about to get the settings of `next`, which `configure` follows with.
    virtual void prepare(const config::Configuration& /*next*/) {}
    // Workers have the settings of `running`.
    virtual void configure(const config::Configuration& /*running*/, Nanos /*now*/) {}
    // The link of a port came, went, or runs at another speed.
    virtual void set_link(PortIndex /*port*/, Link /*link*/, Nanos /*now*/) {}
    virtual void tick(Nanos /*now*/) {}
    // Another port took the slot of this one: what was known of the former is forgotten.
    virtual void forget(PortIndex /*port*/) {}
    // The switch ends.
    virtual void stop(Nanos /*now*/) {}

    // The time between two ticks of a service in `own_period` (service_order.h). 0: no tick is due
    // until something changes.
    [[nodiscard]] virtual std::chrono::milliseconds period() const { return {}; }
};

}  // namespace sluice::control
