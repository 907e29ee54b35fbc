// RetryAnswer: what the receiving end of a link with retry tells the sending one. Up to `sequence`
// everything came, in order; with `again` what follows it did not, and is to be sent again.
// Frames, answers and the question to begin name the session that they are of, which chance gives
// the sender each time that it begins: what is of another, and came late, is of nobody.
#pragma once

#include <cstdint>

#include "dataplane/retry/retry_sequence.h"

namespace sluice {

struct RetryAnswer {
    uint32_t session = 0;
    bool again = false;  // a NACK, or else an ACK
    RetrySequence sequence;
    uint32_t round = 0;  // of a NACK: in which the gap was seen (retry_sequence.h)

    friend bool operator==(const RetryAnswer&, const RetryAnswer&) = default;
};

}  // namespace sluice
