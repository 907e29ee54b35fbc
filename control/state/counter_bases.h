// CounterBases: the values from which shown counters start: at the start of a port that was added,
// at the last clearing, or at the values from before a restart.
//
// Bound: one reading of the nouns with counters for each of these. Does not involve workers.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "config/configuration.h"
#include "control/show/cleared_counters.h"
#include "control/show/restored_counters.h"
#include "control/state/saved_state.h"

namespace sluice::control {

class CounterBases {
  public:
    // A noun as workers count it.
    using Snapshot = std::function<Json(std::string_view noun, bool all)>;
    explicit CounterBases(Snapshot snapshot) : snapshot_(std::move(snapshot)) {}
    CounterBases(const CounterBases&) = delete;
    CounterBases& operator=(const CounterBases&) = delete;

    // Returns the answer to `show NOUN`, with counters since they were cleared.
    [[nodiscard]] Json show(std::string_view noun, bool all) const;
    // The same for clients that compute rates: ignores clearing; counts of a port since it was
    // added.
    [[nodiscard]] Json show_growing(std::string_view noun, bool all) const;

    void clear();
    // A port was added in a slot that may have counted for another.
    void port_added(const std::string& name);
    // LACP of a port began, and counts from 0 whatever was read of it before.
    void lacp_began(const std::string& port);
    // `ports`: old to new names.
    void rename(const std::map<std::string, std::string>& ports);

    // Counts go on from what was saved. Returns of how many ports.
    std::size_t restore(const SavedState& saved, const config::Configuration& running);
    void save(SavedState& state, const config::Configuration& running) const;

  private:
    // As workers count, without what the slots of ports had counted before.
    [[nodiscard]] Json since_added(std::string_view noun, bool all) const;

    const Snapshot snapshot_;
    ClearedCounters before_ports_;  // what the slot of a port that was added had counted
    ClearedCounters cleared_;
    RestoredCounters restored_;        // from before the start, whatever was cleared
    RestoredCounters restored_shown_;  // likewise, since it was cleared
};

}  // namespace sluice::control
