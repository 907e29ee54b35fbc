// CreditSender: the sending end of one direction of a link by credit: the limits that it was told,
// and what it has spent.
//
// A frame of a priority that is governed may begin while what was spent, and it, are within the
// limit. What is told replaces what was told before, so an update that was lost is made good by the
// next. Until it was told anything it needs none.
// Bound: a comparison a frame. Not done here: how a limit comes here (credit_update.h), and who
// tells it to whom (credit_end.h).
// Follows Kung, Blackwell and Chapman, Credit-Based Flow Control for ATM Networks (SIGCOMM 1994),
// hop by hop and per virtual circuit, the circuit being a priority.
#pragma once

#include "dataplane/credits/credit_terms.h"

namespace sluice {

class CreditSender {
  public:
    // It counts from 0.
    void restart() { *this = CreditSender(); }
    void hear(const CreditTerms& terms, const CreditCounts& limits) {
        terms_ = terms;
        limits_ = limits;
    }

    // Whether a frame of `length` without FCS may begin.
    [[nodiscard]] bool covers(Priority priority, Bytes length) const {
        return !terms_.govern(priority) || credit(priority) >= terms_.cost(length);
    }
    // It begins.
    void spend(Priority priority, Bytes length) {
        if (!terms_.govern(priority)) return;
        spent_[priority] = advanced(spent_[priority], terms_.cost(length));
    }

    // It did not begin after all, and was the last to be spent for.
    void refund(Priority priority, Bytes length) {
        if (!terms_.govern(priority)) return;
        spent_[priority] = advanced(spent_[priority], Bytes(0) - terms_.cost(length));
    }

    [[nodiscard]] const CreditTerms& terms() const { return terms_; }
    // Of a priority that is governed; below zero where the buffer became smaller.
    [[nodiscard]] Bytes credit(Priority priority) const {
        return ahead_of(limits_[priority], spent_[priority]);
    }
    [[nodiscard]] const CreditCounts& limits() const { return limits_; }
    [[nodiscard]] const CreditCounts& spent() const { return spent_; }

  private:
    CreditTerms terms_;
    CreditCounts limits_{};
    CreditCounts spent_{};
};

}  // namespace sluice
