// LoopGuardManager: the loop guard of a switch (guard.h). It receives and sends probes by the
// dataplane's mailboxes, and sets in the dataplane which ports are shut.
//
// If no port is guarded the dataplane looks for no probes. Changes are reported; those caused by
// probes within the limits of EventSink. Time is an argument, and no call waits for a worker.
// Bound: a call takes at most one mailbox of frames from each port.
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
    // Takes returned probes and sends the probes that are due. Ten times a second is often enough.
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
    std::vector<std::string> names_;     // by port index
    std::vector<MacAddress> addresses_;  // by port index
};

}  // namespace sluice::control
