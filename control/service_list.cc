#include "control/service_list.h"

#include <cassert>
#include <chrono>

namespace sluice::control {

namespace {

using namespace std::chrono_literals;

constexpr auto tick_period = 100ms;
constexpr auto slow_tick_period = 1s;

class Step final : public Service {
  public:
    explicit Step(std::function<void(Nanos)> step) : step_(std::move(step)) {}
    void configure(const config::Configuration&, Nanos now) override { step_(now); }
    void tick(Nanos now) override { step_(now); }

  private:
    const std::function<void(Nanos)> step_;
};

}  // namespace

void ServiceList::add(ServiceId id, Service& service) {
    Service*& there = services_[static_cast<std::size_t>(id)];
    assert(there == nullptr);
    there = &service;
}

void ServiceList::add(ServiceId id, std::unique_ptr<Service> service) {
    add(id, *owned_.emplace_back(std::move(service)));
}

void ServiceList::add(ServiceId id, std::function<void(Nanos)> step) {
    add(id, std::make_unique<Step>(std::move(step)));
}

template <class Order, class Visit>
void ServiceList::for_each_in(const Order& order, Visit visit) {
    for (const ServiceId id : order) {
        if (Service* const service = services_[static_cast<std::size_t>(id)]) visit(*service);
    }
}

void ServiceList::prepare(const config::Configuration& next) {
    for_each_in(service_order::prepare, [&](Service& service) { service.prepare(next); });
}

void ServiceList::configure(const config::Configuration& running) {
    for_each_in(service_order::configure,
                [&](Service& service) { service.configure(running, clock_()); });
    follow_periods();
}

void ServiceList::set_link(PortIndex port, Service::Link link) {
    assert(port < max_ports);
    for_each_in(service_order::set_link,
                [&](Service& service) { service.set_link(port, link, clock_()); });
}

void ServiceList::tick() {
    for_each_in(service_order::tick, [&](Service& service) { service.tick(clock_()); });
    follow_periods();
}

void ServiceList::slow_tick() {
    for_each_in(service_order::slow_tick, [&](Service& service) { service.tick(clock_()); });
}

void ServiceList::forget(PortIndex port) {
    for (Service* const service : services_) {
        if (service != nullptr) service->forget(port);
    }
}

void ServiceList::tick(ServiceId id) {
    Service* const service = services_[static_cast<std::size_t>(id)];
    assert(service != nullptr);
    service->tick(clock_());
}

void ServiceList::stop() {
    for_each_in(service_order::stop, [&](Service& service) { service.stop(clock_()); });
}

void ServiceList::run(Loop& loop) {
    assert(loop_ == nullptr && sources_.empty() && "it runs once");
    loop_ = &loop;
    follow_periods();
    sources_.push_back(loop.every(tick_period, [this] { tick(); }));
    sources_.push_back(loop.every(slow_tick_period, [this] { slow_tick(); }));
}

void ServiceList::follow_periods() {
    if (loop_ == nullptr) return;
    for (const ServiceId id : service_order::own_period) {
        Service* const service = services_[static_cast<std::size_t>(id)];
        if (service == nullptr) continue;
        Loop::SourcePointer& source = own_periods_[static_cast<std::size_t>(id)];
        const std::chrono::milliseconds period = service->period();
        if (period == 0ms) {
            source.reset();
        } else if (!source) {
            source = loop_->every(period, [this, service] { service->tick(clock_()); });
        }
    }
}

void ServiceList::halt() {
    loop_ = nullptr;
    sources_.clear();
    for (Loop::SourcePointer& source : own_periods_) source.reset();
}

}  // namespace sluice::control
