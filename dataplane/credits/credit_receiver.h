// CreditReceiver: the receiving end of one direction of a link by credit: what was received, what
// of it is still stored, and the limits that follow.
//
// A limit is the sum of what was received and the free part of the buffer. So what is stored and
// what may still arrive never exceed the buffer, and nothing is lost for want of buffer. A limit is
// advertised when a quantum of credit was given back since the last update, and after a refresh
// interval in any case. The next update makes up for a lost one, and the refresh for a lost last
// update.
// The sender reports now and then what it has consumed. Frames and reports arrive in the order in
// which they were sent. So octets that were consumed before a report, and were not received before
// it, were lost on the way, and their credit is given back: as a receiver of InfiniBand sets its
// adjusted blocks received to the total blocks sent (Architecture Specification, volume 1,
// 7.9.4.3), and as BB_Credit recovery of Fibre Channel does with counts of frames (FC-FS).
// Bound: eight additions to find out whether an update is due. Advertising in quanta takes a buffer
// that is larger by one quantum, and by a second one if the wire is to stay busy after a lost
// update.
#pragma once

#include <algorithm>
#include <cassert>
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

    // New terms; what was received and what is stored stays counted.
    void configure(const CreditTerms& terms, const CreditPace& pace) {
        if (terms != terms_) make_due();
        terms_ = terms;
        pace_ = pace;
    }
    // The sender counts from 0, and an update is due at once. Stored frames stay counted until they
    // leave.
    void restart() {
        received_.fill(0);
        make_due();
    }

    // An update is due at once.
    void make_due() { was_sent_ = false; }

    // A frame of this cost was received, whether it is stored or not.
    void came(Priority priority, Bytes cost) {
        if (terms_.is_lossless(priority)) received_[priority] = advanced(received_[priority], cost);
    }
    // Stores a frame, which takes so much of the buffer. False: there is no room, so the frame came
    // without credit; it is not stored and has to be dropped.
    bool take(Priority priority, Bytes cost) {
        if (!terms_.is_lossless(priority)) return true;
        if (occupied_[priority] + cost > terms_.buffer) return false;
        occupied_[priority] += cost;
        return true;
    }
    // A frame that was stored has left the buffer.
    void give_back(Priority priority, Bytes cost) {
        if (!terms_.is_lossless(priority)) return;
        assert(cost <= occupied_[priority]);
        occupied_[priority] -= cost;
    }
    // For callers that count the stored octets themselves.
    void set_occupied(Priority priority, Bytes occupied) {
        assert(occupied.count() >= 0);
        occupied_[priority] = occupied;
    }
    // `consumed`: what the sender reported. Returns how much of that was lost on the way. Below
    // zero: the sender reported less than was received, so it violates the terms.
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
    // Whether an update is due even if no credit was given back.
    [[nodiscard]] bool is_refresh_due(Nanos now) const {
        return !was_sent_ || (pace_.refresh.count() > 0 && now - advertised_at_ >= pace_.refresh);
    }
    // Whether an update is due, for a refresh or for credit that was given back.
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
