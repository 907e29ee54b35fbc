// StateKeeper: reads the saved state before workers run, and writes it periodically and when the
// switch stops (saved_state.h defines the state, learned.h and counter_bases.h make it).
//
// Control's thread reads the switch; the file is written in the background.
// Bound: one write at a time; learned addresses of ports whose link does not come up within 10 s
// are forgotten again.
#pragma once

#include <memory>
#include <string>

#include "control/background.h"
#include "control/events/event_sink.h"
#include "control/publish.h"
#include "control/service.h"
#include "control/state/counter_bases.h"
#include "control/state/saved_state.h"
#include "control/state/state_writer.h"
#include "dataplane/switch.h"

namespace sluice::control {

class StateKeeper final : public Service {
  public:
    StateKeeper(Switch& dataplane, const Publisher& publisher, CounterBases& counters,
                EventSink& events, Background& background)
        : dataplane_(dataplane),
          publisher_(publisher),
          counters_(counters),
          events_(events),
          background_(background) {}

    // Called before workers run.
    void restore(Nanos now);
    void tick(Nanos now) override;
    // Makes the next write due soon. Called after workers have carried out the orders for the FDB.
    void keep_soon(Nanos now);
    void keep_at_the_end(Nanos now);

  private:
    void forget_where_no_link_came(Nanos now);
    [[nodiscard]] SavedState state_at(Nanos now) const;
    const std::shared_ptr<StateWriter>& writer();
    void report(const std::string& failed);

    Switch& dataplane_;
    const Publisher& publisher_;
    CounterBases& counters_;
    EventSink& events_;
    Background& background_;
    std::shared_ptr<StateWriter> writer_;  // null until state is kept
    Nanos next_keeping_;                   // time of the next write
    bool keeps_ = false;                   // a write is under way
    bool kept_ = true;                     // whether the last reported write succeeded
    PortSet remembered_at_ = 0;  // ports with restored addresses that have to get a link in time
    Nanos links_waited_for_;     // time by which the ports of `remembered_at_` have to get a link
};

}  // namespace sluice::control
