// OutputWatch: reports the begin and end of pause storms and stalls of outputs.
//
// Bound: a few words a port. Not done here: acting on storms and stalls (dataplane/egress).
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "control/events/event_sink.h"
#include "control/publish.h"
#include "control/service.h"
#include "dataplane/switch.h"

namespace sluice::control {

class OutputWatch final : public Service {
  public:
    // `is_there`: whether the port exists.
    OutputWatch(const Switch& dataplane, const Publisher& publisher, EventSink& events,
                std::function<bool(PortIndex)> is_there)
        : dataplane_(dataplane),
          publisher_(publisher),
          events_(events),
          is_there_(std::move(is_there)),
          storms_(publisher.running().ports.size()) {}

    void tick(Nanos now) override;
    void forget(PortIndex port) override;

  private:
    void watch_pfc_storms(PortIndex port);
    void watch_stall(PortIndex port);

    const Switch& dataplane_;
    const Publisher& publisher_;
    EventSink& events_;
    const std::function<bool(PortIndex)> is_there_;
    std::vector<PrioritySet> storms_;  // by port index, as last reported
    PortSet stalls_ = 0;               // ports as last reported
};

}  // namespace sluice::control
