// Retry answers: the answers of the receiving end of a link with retry, for tests.
#pragma once

#include <cstdint>

#include "dataplane/retry/retry_answer.h"

namespace sluice::test {

inline RetrySequence number(uint32_t number) { return RetrySequence(number); }
inline RetryAnswer ack(uint32_t session, RetrySequence sequence) {
    return {session, false, sequence, 0, {}};
}
// Requests all frames from transmission `order` on.
inline RetryAnswer go_back(uint32_t session, RetrySequence sequence, uint32_t order) {
    return {session, true, sequence, order, {}};
}
// Requests only the frames of `runs`.
inline RetryAnswer nack(uint32_t session, RetrySequence sequence, RetryRuns runs) {
    return {session, true, sequence, 0, runs};
}

}  // namespace sluice::test
