// RestoredCounters: keeps the values of ports' counters from before a restart, so that `show`
// continues from there.
//
// Only workers write counters, and these start at 0. The old values are kept apart and added to the
// shown values of a port, its drops and its pauses (the nouns `ports`, `drops`, `pfc`), under names
// such as `pfc.3.rx_pause`. Lanes, queues, latency, device counters and the ledger start at 0 with
// each start.
// Bound: these names, for each port that counted something.
// Not done here: the file that keeps the values (state/saved_state.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "control/show/snapshot.h"

namespace sluice::control {

class RestoredCounters {
  public:
    using Counts = std::map<std::string, uint64_t, std::less<>>;
    using Rows = std::function<Json(bool all)>;  // returns the rows of a noun
    using Show = std::function<Json(std::string_view noun)>;

    // Returns the counters to save, by port and name. Counters that are 0 are left out.
    static std::map<std::string, Counts, std::less<>> counts_of(const Show& show);

    // Sets the restored counters of a port. Drops for reasons that this version does not have are
    // left out: no row would show them.
    void take(const std::string& port, Counts counts);
    void forget(const std::string& port) { counts_.erase(port); }
    void clear() { counts_.clear(); }
    [[nodiscard]] std::size_t ports() const { return counts_.size(); }
    // Renames ports. `ports`: old to new names.
    void rename(const std::map<std::string, std::string>& ports);
    // Returns `rows` of the noun with the restored counters added. Rows that then hold only 0 are
    // left out unless `all`.
    [[nodiscard]] Json add_to(std::string_view noun, bool all, const Rows& rows) const;

  private:
    [[nodiscard]] uint64_t of(std::string_view port, std::string_view name) const;

    std::map<std::string, Counts, std::less<>> counts_;  // ordered by port
};

}  // namespace sluice::control
