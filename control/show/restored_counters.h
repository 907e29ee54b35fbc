// RestoredCounters: what ports had counted before a restart, so that `show` counts on from there.
//
// Workers alone write counters and begin at 0: what was counted before is kept beside them and
// added to those shown of a port, of its drops, and of its pauses (`ports`, `drops`, `pfc`). By
// name, as `pfc.3.rx_pause`. Lanes, queues, latency, devices and the ledger are of the start.
// Bound: these names of each port that counted something.
// Not done here: the file (state/saved_state.h).
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
    using Rows = std::function<Json(bool all)>;  // of a noun
    using Show = std::function<Json(std::string_view noun)>;

    // By port, of what `show` says of all rows; what is 0 is left out.
    static std::map<std::string, Counts, std::less<>> counts_of(const Show& show);

    void take(const std::string& port, Counts counts) { counts_[port] = std::move(counts); }
    void forget(const std::string& port) { counts_.erase(port); }
    void clear() { counts_.clear(); }
    [[nodiscard]] std::size_t ports() const { return counts_.size(); }
    // Ports that are called otherwise from now on, by the names that they had.
    void rename(const std::map<std::string, std::string>& ports);
    // `rows` of the noun, counted on; those that then say nothing go unless `all`.
    [[nodiscard]] Json onto(std::string_view noun, bool all, const Rows& rows) const;

  private:
    [[nodiscard]] uint64_t of(std::string_view port, std::string_view name) const;

    std::map<std::string, Counts, std::less<>> counts_;  // by port
};

}  // namespace sluice::control
