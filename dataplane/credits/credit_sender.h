// CreditSender: the sending end of one direction of a link with credit. Holds the limits that it
// received and the credit that it has consumed.
//
// A frame of a lossless priority may be sent if the consumed credit, the frame included, is within
// the limit. A limit replaces the previous one, so the next update makes up for a lost one. Before
// the first limit no credit is needed.
// Bound: a comparison a frame. Not here: reading limits (credit_update.h), sessions (credit_end.h).
// Follows Kung, Blackwell and Chapman, Credit-Based Flow Control for ATM Networks (SIGCOMM 1994),
// hop by hop and per virtual circuit; a priority is a circuit.
#pragma once

#include <cassert>

#include "dataplane/credits/credit_terms.h"

namespace sluice {

class CreditSender {
  public:
    // Counts from 0. No frame that needs credit may be sent until a limit is received.
    void restart() {
        limits_ = {};
        consumed_ = {};
    }
    // Sets the limits. A limit that is above the consumed credit by more than a buffer is reduced
    // to the consumed credit and one buffer.
    void receive(const CreditTerms& terms, const CreditCounts& limits) {
        terms_ = terms;
        limits_ = limits;
        for_each_priority(terms.lossless, [&](Priority priority) {
            if (credit(priority) <= terms.buffer) return;
            limits_[priority] = advanced(consumed_[priority], terms.buffer);
            assert(credit(priority) == terms.buffer);
        });
    }

    // Whether a frame of `length` without FCS may be sent.
    [[nodiscard]] bool covers(Priority priority, Bytes length) const {
        return !terms_.is_lossless(priority) || credit(priority) >= terms_.cost(length);
    }
    // Counts a frame that is about to be sent.
    void consume(Priority priority, Bytes length) {
        if (!terms_.is_lossless(priority)) return;
        consumed_[priority] = advanced(consumed_[priority], terms_.cost(length));
    }

    // Takes back the last `consume`, whose frame the device refused.
    void refund(Priority priority, Bytes length) {
        if (!terms_.is_lossless(priority)) return;
        consumed_[priority] = advanced(consumed_[priority], Bytes(0) - terms_.cost(length));
    }

    [[nodiscard]] const CreditTerms& terms() const { return terms_; }
    // Returns the credit of a lossless priority; negative after the peer's buffer became smaller.
    [[nodiscard]] Bytes credit(Priority priority) const {
        return ahead_of(limits_[priority], consumed_[priority]);
    }
    [[nodiscard]] const CreditCounts& limits() const { return limits_; }
    [[nodiscard]] const CreditCounts& consumed() const { return consumed_; }

  private:
    CreditTerms terms_;
    CreditCounts limits_{};
    CreditCounts consumed_{};
};

}  // namespace sluice
