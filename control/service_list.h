// ServiceList: calls the services of a switch, each call in its order (service_order.h).
//
// A service that was not added is left out, as in a test that needs only some of them. If calls of
// a service are made to different objects, each object is added under an ID of its own (next_hops
// has `tick`, neighbours has `configure`).
// Bound: one thread, the control loop's; a timer for each service with a period of its own.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "control/loop.h"
#include "control/service.h"
#include "control/service_order.h"

namespace sluice::control {

class ServiceList {
  public:
    using Clock = std::function<Nanos()>;

    // `clock`: the workers' clock, which is read for each service, so that time does not run
    // backwards for a service that another service calls in between.
    explicit ServiceList(Clock clock) : clock_(std::move(clock)) {}
    ServiceList(const ServiceList&) = delete;
    ServiceList& operator=(const ServiceList&) = delete;

    // Adds a service. The service must exist until the last call of this object.
    void add(ServiceId id, Service& service);
    void add(ServiceId id, std::unique_ptr<Service> service);
    // Adds a function that is called wherever the orders of `tick` and `configure` have `id`.
    void add(ServiceId id, std::function<void(Nanos now)> step);

    void prepare(const config::Configuration& next);
    void configure(const config::Configuration& running);
    void set_link(PortIndex port, Service::Link link);
    void tick();
    void slow_tick();
    void stop();
    // Calls `forget` of all services, in no defined order.
    void forget(PortIndex port);
    // Calls `tick` of one service.
    void tick(ServiceId id);

    // Starts timers that call `tick`, `slow_tick` and the services with a period of their own.
    void run(Loop& loop);
    // Called when a period may have changed. `tick` and `configure` call it themselves.
    void follow_periods();
    // Stops all timers.
    void halt();

  private:
    template <class Order, class Visit>
    void for_each_in(const Order& order, Visit visit);

    static constexpr std::size_t ids = static_cast<std::size_t>(ServiceId::evpn) + 1;

    const Clock clock_;
    std::array<Service*, ids> services_{};  // by ID
    std::vector<std::unique_ptr<Service>> owned_;
    Loop* loop_ = nullptr;  // null until `run`
    std::vector<Loop::SourcePointer> sources_;
    std::array<Loop::SourcePointer, ids> own_periods_;
};

}  // namespace sluice::control
