// WorkersService: the workers of a switch as a service: they adopt new settings after the services
// that `prepare` the settings (service_order.h), and drain when the switch ends.
#pragma once

#include "control/publish.h"
#include "control/runtime/runtime.h"
#include "control/service.h"
#include "dataplane/retry/retries.h"

namespace sluice::control {

class WorkersService final : public Service {
  public:
    WorkersService(Runtime& runtime, const Publisher& publisher)
        : runtime_(runtime), publisher_(publisher) {}

    void prepare(const config::Configuration& /*next*/) override {
        const Settings& settings = publisher_.effective();
        for (PortIndex port = 0; port < settings.ports.size(); ++port) {
            runtime_.dataplane().retries().use(port, settings.ports[port].retry);
        }
        runtime_.workers().publish(settings);
    }
    // Returns when all workers have drained, or when one does not drain in time
    // (Runtime::not_ended).
    void stop(Nanos /*now*/) override { runtime_.stop(); }

  private:
    Runtime& runtime_;
    const Publisher& publisher_;
};

}  // namespace sluice::control
