// LedgerSnapshot: whether every frame is accounted for, as JSON: the noun `ledger`, computed while
// workers run.
//
// Counters are read one after the other, so while frames move the sums need not balance, which is
// not an error. Only two readings with the same sums count. If these sums do not balance, they
// count only if each worker has finished a poll between the two readings, because a worker that
// lost its CPU within a poll also leaves sums that do not balance.
// Bound: two readings; up to 51 if the sums stay the same and do not balance, with 5 ms of sleep
// between them.
// Not done here: computing the sums (dataplane/ledger.h).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "control/show/snapshot.h"
#include "dataplane/ledger.h"

namespace sluice::control {

struct LedgerReading {
    Ledger sum;
    bool in_motion = false;  // frames were moving: `sum` need not balance
};

// Reads the ledger. `read` reads all counters; `polls` returns how many polls each worker has made.
LedgerReading read_ledger(const std::function<Ledger()>& read,
                          const std::function<std::vector<uint64_t>()>& polls);

Json ledger_snapshot(const View& view, bool all);

}  // namespace sluice::control
