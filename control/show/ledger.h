// LedgerSnapshot: whether every frame is accounted for, asked while workers go on.
//
// Counters are read one after the other, so while frames move the sums need not agree, and that
// says nothing: only two readings that are the same do. Where such two do not balance, every worker
// must have polled on between them too, since one that lost its CPU in the midst of a poll leaves
// such sums as well.
// Bound: two readings; up to 51 where the sums stand still and do not balance. Those take 5 ms of
// sleep between them, and besides what it takes to read every counter so often.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "control/show/snapshot.h"
#include "dataplane/ledger.h"

namespace sluice::control {

struct LedgerReading {
    Ledger sum;
    bool in_motion = false;  // then whether `sum` balances says nothing
};

// `polls`: how many each worker has made so far.
LedgerReading read_ledger(const std::function<Ledger()>& read,
                          const std::function<std::vector<uint64_t>()>& polls);

Json ledger_snapshot(const View& view, bool all);

}  // namespace sluice::control
