// CableTrials: runs the cable trials that an operator requests, one at a time (cable_trial.h).
// Frames of a trial are sent ten times a second; received ones are taken from LLDP's frames. The
// result is recorded as proof and returned.
//
// Bound: a second for each trial.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "control/events/event_sink.h"
#include "control/port_abilities.h"
#include "control/proof/cable_trial.h"
#include "control/publish.h"
#include "control/service.h"
#include "control/socket/api.h"
#include "control/socket/request.h"
#include "dataplane/switch.h"

namespace sluice::control {

class CableTrials final : public Service {
  public:
    // The objects and functions that a trial uses; all outlive this object.
    struct Parts {
        Switch& dataplane;
        const Publisher& publisher;
        EventSink& events;
        std::function<bool(PortIndex)> is_there;
        std::function<bool(PortIndex)> has_link;
        std::function<const PortAbilities&(PortIndex)> abilities;
        std::function<void(PortIndex, const Seen&)> prove;
    };
    explicit CableTrials(Parts parts) : parts_(std::move(parts)) {}

    void begin(const TryCableRequest& request, const Reply& reply);
    // Takes a received frame. Returns true if it belongs to a trial.
    bool receive(PortIndex port, std::span<const uint8_t> frame) {
        return trial_ && trial_->of.receive(port, frame);
    }
    void tick(Nanos now) override;

  private:
    // A trial, and the client that waits for its result.
    struct Trial {
        CableTrial of;
        Reply reply;
    };

    void end();

    const Parts parts_;
    std::optional<Trial> trial_;
};

}  // namespace sluice::control
