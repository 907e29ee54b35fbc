// LoopGuardManager: the loop guard of a switch (guard.h): fed from the dataplane's mailboxes,
// sending probes by them, and telling the dataplane which ports are shut.
//
// Where no port is guarded the dataplane looks for no probes. What changed is returned, for the
// event log. Time is an argument, and no worker is waited for.
// Bound: a port's events beyond `event_burst` at once and one a second are left out; a mailbox of
// frames a port a call.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "control/loop_guard/guard.h"
#include "dataplane/pfc/frame_limit.h"
#include "dataplane/switch.h"
#include "dataplane/units.h"

namespace sluice::control {

struct LoopEvent {
    PortIndex port = 0;
    bool warning = false;
    std::string kind;  // `loop_detected`, `loop_over`
    std::string text;
};

class LoopGuardManager {
  public:
    static constexpr uint32_t event_burst = 8;

    // `configuration` is complete: the addresses of ports are filled in.
    LoopGuardManager(Switch& dataplane, const config::Configuration& configuration);

    std::vector<LoopEvent> configure(const config::Configuration& configuration);
    // Takes probes that came back and sends what is due. Ten times a second is often enough.
    std::vector<LoopEvent> proceed(Nanos now);

    [[nodiscard]] loop_guard::State state(PortIndex port) const { return guard_.state(port); }

  private:
    [[nodiscard]] std::vector<loop_guard::Change> receive(Nanos now);
    void send(Nanos now);
    [[nodiscard]] LoopEvent event_of(const loop_guard::Change& change) const;

    Switch& dataplane_;
    const uint64_t sender_;
    loop_guard::Guard guard_;
    std::vector<std::string> names_;        // of ports
    std::vector<MacAddress> addresses_;     // likewise
    std::vector<FrameLimit> event_limits_;  // by port
};

}  // namespace sluice::control
