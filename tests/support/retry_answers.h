// What the receiving end of a link with retry says, as tests write it.
#pragma once

#include <cstdint>

#include "dataplane/retry/retry_answer.h"

namespace sluice::test {

inline RetrySequence number(uint32_t number) { return RetrySequence(number); }
inline RetryAnswer ack(uint32_t session, RetrySequence sequence) {
    return {session, false, sequence, 0, {}};
}
// All from transmission `order` on is to go again.
inline RetryAnswer go_back(uint32_t session, RetrySequence sequence, uint32_t order) {
    return {session, true, sequence, order, {}};
}
// A NACK of these runs alone.
inline RetryAnswer nack(uint32_t session, RetrySequence sequence, RetryRuns runs) {
    return {session, true, sequence, 0, runs};
}

}  // namespace sluice::test
