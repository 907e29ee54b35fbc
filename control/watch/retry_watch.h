// RetryReports: reports, for each port, that lost frames are sent again, or why not; and frames
// that a link with retry gave up.
//
// A loss that lasts is reported every 10 s, with how many frames it has cost since
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
    // Without a session for so long a port with link is said to go without.
    static constexpr Nanos patience{3'000'000'000};
    enum class Said : uint8_t { nothing, begun, without };
    struct Seen {
        std::string name;  // of the port; it may be gone when what it kept is given up
        Said said = Said::nothing;
        Nanos closed_since{-1};  // with link; -1: it is open, or has none
    };

    void look_for_losses();
    void look(PortIndex port, Nanos now);

    Switch& dataplane_;
    const Publisher& publisher_;
    EventSink& events_;
    std::vector<Seen> seen_;  // by port
};

}  // namespace sluice::control
