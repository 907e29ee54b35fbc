// ServiceList: calls the services of a switch, each call in its order (service_order.h).
//
// A service that was not added is left out, as in a test that needs only some of them. A service
// whose calls need objects of different kinds may be added as one object for each (`tick` of
// next_hops, `configure` of neighbours).
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

    // The workers' clock. Each service gets the time at its turn, so that time does not run
    // backwards for a service that another service calls meanwhile.
    explicit ServiceList(Clock clock) : clock_(std::move(clock)) {}
    ServiceList(const ServiceList&) = delete;
    ServiceList& operator=(const ServiceList&) = delete;

    // `service` must outlive this object, or the last call.
    void add(ServiceId id, Service& service);
    void add(ServiceId id, std::unique_ptr<Service> service);
    // One that does the same in `tick` and in `configure`, where it is in their orders.
    void add(ServiceId id, std::function<void(Nanos now)> step);

    void prepare(const config::Configuration& next);
    void configure(const config::Configuration& running);
    void set_link(PortIndex port, Service::Link link);
    void tick();
    void slow_tick();
    void stop();
    // In no order.
    void forget(PortIndex port);
    // One alone.
    void tick(ServiceId id);

    // Calls `tick`, `slow_tick` and the services with a period of their own from now on.
    void run(Loop& loop);
    // A period may have changed. `tick` and `configure` see to that by themselves.
    void follow_periods();
    // Stops all timers: no service is called by itself any more.
    void halt();

  private:
    template <class Order, class Visit>
    void for_each_in(const Order& order, Visit visit);

    static constexpr std::size_t ids = static_cast<std::size_t>(ServiceId::evpn) + 1;

    const Clock clock_;
    std::array<Service*, ids> services_{};  // by ID
    std::vector<std::unique_ptr<Service>> owned_;
    Loop* loop_ = nullptr;  // once it runs
    std::vector<Loop::SourcePointer> sources_;
    std::array<Loop::SourcePointer, ids> own_periods_;
};

}  // namespace sluice::control
