// ClearedCounters: keeps the counters' values at the last `sluice clear counters`, so that `show`
// counts from there.
//
// Only workers write counters, so none is set to 0: their values at that moment are kept and
// subtracted from those shown. The ledger, which covers the whole life of the switch, and clients
// that compute rates, such as metrics, therefore do not notice a clearing.
// Bound: one copy of the counters of each port, and of each queue, group and drop reason that ever
// counted; each clearing replaces the one before. Frames that wait at that moment count as
// enqueued after it.
// Not done here: watermarks; each is cleared by its worker (Switch::clear_watermarks).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "control/show/snapshot.h"

namespace sluice::control {

class ClearedCounters {
  public:
    using Show = std::function<Json(std::string_view noun)>;

    // Clears all counters. `show` returns all rows of a noun with the workers' counts.
    void take(const Show& show);
    // Clears the counters of one port. Called when a port is added: another port may have counted
    // at its index.
    void take_port(const std::string& name, const Show& show);
    // Undoes the clearing for a noun of one port, whose counters have restarted at 0.
    void forget(std::string_view noun, const std::string& port);
    // Renames ports. `ports`: old to new names.
    void rename(const std::map<std::string, std::string>& ports);
    // Returns the noun with its counters since the last clearing. `shown`: the noun with the
    // workers' counts. Rows that then hold only 0 are removed unless `all`.
    [[nodiscard]] Json since(std::string_view noun, Json shown, bool all) const;

  private:
    std::map<std::string, Json, std::less<>> readings_;  // by noun, list and row keys
};

}  // namespace sluice::control
