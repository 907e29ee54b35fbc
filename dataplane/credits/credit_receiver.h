// CreditReceiver: the receiving end of one direction of a link by credit: what came, what of it is
// here, and the limits that this makes.
//
// A limit is what came and as much of the buffer as is free; so what is here and what may yet come
// are never more than the buffer, and nothing is lost for want of it. It is advertised when a
// quantum of credit was given back since it last was, and after a while in any case: an update that
// was lost is made good by the next, and the last one by that.
// The sender says now and then what it has consumed. Frames arrive in the order in which they were
// sent, so what it consumed before it said so and did not come was lost on the way, and its credit
// is given back: as a receiver of InfiniBand sets its adjusted blocks received to the total blocks
// sent (Architecture Specification, volume 1, 7.9.4.3), and as BB_Credit recovery of Fibre Channel
// does with counts of frames (FC-FS).
// Bound: eight additions to find out whether an update is due. To advertise in quanta takes a
// buffer that is larger by one, and by another where the wire is to stay busy past an update that
// is lost.
#pragma once

#include <algorithm>
#include <utility>

#include "dataplane/credits/credit_terms.h"
#include "dataplane/types/units.h"

namespace sluice {

// When a limit is advertised.
struct CreditPace {
    Bytes quantum{1};  // so much was given back, of any priority
    Nanos refresh{0};  // and so long after the last time, whether or not; 0: never for that alone
};

class CreditReceiver {
  public:
    CreditReceiver(const CreditTerms& terms, const CreditPace& pace) : terms_(terms), pace_(pace) {}

    // From now on. What came and what is here stays.
    void configure(const CreditTerms& terms, const CreditPace& pace) {
        if (terms != terms_) make_due();
        terms_ = terms;
        pace_ = pace;
    }
    // The sender counts from 0, and is due an update at once. What is here stays until it leaves.
    void restart() {
        received_.fill(0);
        make_due();
    }

    // An update is due at once.
    void make_due() { was_sent_ = false; }

    // A frame that costs so much came, whatever becomes of it.
    void came(Priority priority, Bytes cost) {
        if (terms_.is_lossless(priority)) received_[priority] = advanced(received_[priority], cost);
    }
    // It is here, and takes so much of the buffer. False: there is no room for it, so it came
    // without credit; then it is not here, and is to be dropped.
    bool take(Priority priority, Bytes cost) {
        if (!terms_.is_lossless(priority)) return true;
        if (occupied_[priority] + cost > terms_.buffer) return false;
        occupied_[priority] += cost;
        return true;
    }
    // A frame that was stored has left the buffer.
    void give_back(Priority priority, Bytes cost) {
        if (terms_.is_lossless(priority)) occupied_[priority] -= cost;
    }
    // Where somebody else counts what is here.
    void set_occupied(Priority priority, Bytes occupied) { occupied_[priority] = occupied; }
    // What the sender had consumed when it said so. How much of that was lost on the way; below
    // zero: it had consumed less than came, so it does not keep to the terms.
    Bytes reconcile(Priority priority, CreditCount consumed) {
        if (!terms_.is_lossless(priority)) return Bytes(0);
        return ahead_of(consumed, std::exchange(received_[priority], consumed));
    }

    [[nodiscard]] CreditCounts limits() const {
        CreditCounts limits{};
        for_each_priority(terms_.lossless, [&](Priority priority) {
            limits[priority] = advanced(received_[priority], terms_.buffer - occupied_[priority]);
        });
        return limits;
    }
    // Whether it is time to advertise them, whatever came back.
    [[nodiscard]] bool is_refresh_due(Nanos now) const {
        return !was_sent_ || (pace_.refresh.count() > 0 && now - advertised_at_ >= pace_.refresh);
    }
    // Or that alone makes it.
    [[nodiscard]] bool is_due(Nanos now) const {
        if (is_refresh_due(now)) return true;
        const CreditCounts now_due = limits();
        Bytes most;
        for_each_priority(terms_.lossless, [&](Priority priority) {
            most = std::max(most, ahead_of(now_due[priority], advertised_[priority]));
        });
        return most.count() > 0 && most >= pace_.quantum;
    }
    // The limits that `limits` returned were given to the device.
    void sent(Nanos now) {
        was_sent_ = true;
        advertised_at_ = now;
        advertised_ = limits();
    }

    [[nodiscard]] const CreditTerms& terms() const { return terms_; }
    [[nodiscard]] Bytes occupied(Priority priority) const { return occupied_[priority]; }
    // The limits as last sent.
    [[nodiscard]] const CreditCounts& advertised() const { return advertised_; }

  private:
    CreditTerms terms_;
    CreditPace pace_;
    CreditCounts received_{};
    std::array<Bytes, max_priorities> occupied_;
    bool was_sent_ = false;
    Nanos advertised_at_;
    CreditCounts advertised_{};
};

}  // namespace sluice
