// RetryReports: reports, for each port, that retry is active, or why it is not; and frames that a
// link with retry gave up.
//
// A lasting loss is reported again every 10 s, with the number of frames lost since the last report
// (EventSink::growth).
// Bound: a few words a port.
#pragma once

#include <string>
#include <vector>

#include "control/events/event_sink.h"
#include "control/publish.h"
#include "control/service.h"
#include "dataplane/retry/retry_watch.h"
#include "dataplane/switch.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class RetryReports final : public Service {
  public:
    RetryReports(Switch& dataplane, const Publisher& publisher, EventSink& events)
        : dataplane_(dataplane),
          publisher_(publisher),
          events_(events),
          seen_(publisher.running().ports.size()) {}

    void tick(Nanos now) override;
    void stop(Nanos now) override;
    void forget(PortIndex port) override { seen_[port] = {}; }

  private:
    // Time with link and without a session after which the port is reported to run without retry.
    static constexpr Nanos patience{3'000'000'000};
    enum class Said : uint8_t { nothing, begun, without };
    struct Seen {
        std::string name;  // kept because frames may be given up after the port is gone
        Said said = Said::nothing;
        Nanos closed_since{-1};  // begin of the state with link and no session; -1: none
    };

    void look_for_losses();
    void look(PortIndex port, Nanos now);

    Switch& dataplane_;
    const Publisher& publisher_;
    EventSink& events_;
    std::vector<Seen> seen_;  // by port index
};

}  // namespace sluice::control
