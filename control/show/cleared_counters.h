// ClearedCounters: what `sluice clear counters` took note of, so that `show` counts from there on.
//
// Workers alone write counters, so nothing is set to 0: the readings of that moment are kept and
// subtracted from those shown. So the ledger, which is about the whole life of the switch, and
// whoever takes rates of counters that only grow, such as metrics, do not see that it happened.
// Bound: a reading of each port and of each queue, group and drop reason that ever counted; each
// clearing replaces the one before. What waits when it is done counts as enqueued after it.
// Not done here: the highest that a level was; its worker clears it (Switch::clear_watermarks).
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "control/show/snapshot.h"

namespace sluice::control {

class ClearedCounters {
  public:
    using Show = std::function<Json(std::string_view noun)>;

    void take(const Show& show);
    // A port that was added: what its place counted before was another's.
    void take_port(const std::string& name, const Show& show);
    // What a noun says of a port counts from 0 again.
    void forget(std::string_view noun, const std::string& port);
    // Ports that are called otherwise from now on, by the names that they had.
    void rename(const std::map<std::string, std::string>& ports);
    // `shown` of the noun, counted from the last `take`; rows that then say nothing go unless
    // `all`.
    [[nodiscard]] Json since(std::string_view noun, Json shown, bool all) const;

  private:
    std::map<std::string, Json, std::less<>> readings_;  // by noun, row and what tells it
};

}  // namespace sluice::control
