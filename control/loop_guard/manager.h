// LoopGuardManager: the loop guard of a switch (guard.h): fed from the dataplane's mailboxes,
// sending probes by them, and telling the dataplane which ports are shut.
//
// Where no port is guarded the dataplane looks for no probes. What changed is reported; what probes
// change within the limit of the sink. Time is an argument, and no worker is waited for.
// Bound: a mailbox of frames a port a call.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "control/events/event_sink.h"
#include "control/loop_guard/guard.h"
#include "control/service.h"
#include "dataplane/switch.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class LoopGuardManager final : public Service {
  public:
    // `configuration` is complete: the addresses of ports are filled in.
    LoopGuardManager(Switch& dataplane, const config::Configuration& configuration,
                     EventSink& events);

    void configure(const config::Configuration& configuration, Nanos now) override;
    // Takes probes that came back and sends what is due. Ten times a second is often enough.
    void tick(Nanos now) override;

    [[nodiscard]] loop_guard::State state(PortIndex port) const { return guard_.state(port); }

  private:
    [[nodiscard]] std::vector<loop_guard::Change> receive(Nanos now);
    void send(Nanos now);
    [[nodiscard]] Event event_of(const loop_guard::Change& change) const;

    Switch& dataplane_;
    EventSink& events_;
    const uint64_t sender_;
    loop_guard::Guard guard_;
    std::vector<std::string> names_;     // of ports
    std::vector<MacAddress> addresses_;  // likewise
};

}  // namespace sluice::control
