// RateWatch: the rates at which ports receive, send and pause, for `show` (show/port_rates.h), and
// their history of the last ten minutes (show/port_history.h).
#pragma once

#include "control/publish.h"
#include "control/service.h"
#include "control/show/port_history.h"
#include "control/show/port_rates.h"
#include "dataplane/switch.h"

namespace sluice::control {

class RateWatch final : public Service {
  public:
    RateWatch(const Switch& dataplane, const Publisher& publisher)
        : dataplane_(dataplane), publisher_(publisher) {}

    // Called once a second.
    void tick(Nanos now) override;

    [[nodiscard]] const PortRates& rates() const { return rates_; }
    [[nodiscard]] const PortHistory& history() const { return history_; }

  private:
    void remember(Nanos now);

    const Switch& dataplane_;
    const Publisher& publisher_;
    PortRates rates_;
    PortHistory history_;
};

}  // namespace sluice::control
