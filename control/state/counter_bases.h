// CounterBases: the values from which shown counters start: at the start of a port that was added,
// at the last clearing, or at the values from before a restart.
//
// Bound: one reading of the nouns with counters for each such start. Workers are not involved.
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
    // Returns a noun with the workers' counts.
    using Snapshot = std::function<Json(std::string_view noun, bool all)>;
    explicit CounterBases(Snapshot snapshot) : snapshot_(std::move(snapshot)) {}
    CounterBases(const CounterBases&) = delete;
    CounterBases& operator=(const CounterBases&) = delete;

    // Returns the answer to `show NOUN`, with counts since the last `clear counters`.
    [[nodiscard]] Json show(std::string_view noun, bool all) const;
    // Returns the answer for clients that compute rates: `clear counters` has no effect on it, and
    // counts begin when a port is added.
    [[nodiscard]] Json show_growing(std::string_view noun, bool all) const;

    void clear();
    // Called when a port was added in a slot that may have counted for another port.
    void port_added(const std::string& name);
    // Called when LACP began on a port; its counters restart at 0.
    void lacp_began(const std::string& port);
    // Renames ports. `ports`: old to new names.
    void rename(const std::map<std::string, std::string>& ports);

    // Restores the saved counters. Returns the number of ports with restored counters.
    std::size_t restore(const SavedState& saved, const config::Configuration& running);
    void save(SavedState& state, const config::Configuration& running) const;

  private:
    // Returns the workers' counts, without the counts of earlier ports in the same slots.
    [[nodiscard]] Json since_added(std::string_view noun, bool all) const;

    const Snapshot snapshot_;
    ClearedCounters before_ports_;  // counts of earlier ports in the slots of added ports
    ClearedCounters cleared_;
    RestoredCounters restored_;        // counts from before the start, regardless of clearing
    RestoredCounters restored_shown_;  // counts from before the start, since the last clearing
};

}  // namespace sluice::control
