// CreditReceiver: the receiving end of one direction of a link with credit. Counts the octets that
// were received and those that are stored, and computes the limits.
//
// A limit is the sum of the received octets and the free octets of the buffer. So stored octets and
// octets that may still arrive never exceed the buffer, and no frame is lost for want of buffer. A
// limit is advertised when a quantum of credit was returned since the last update, and after each
// refresh interval. The next update makes up for a lost one, and the refresh for a lost last
// update.
// The sender's updates report the credit that it has consumed. Frames and updates arrive in the
// order in which they were sent. So octets that were consumed before an update, and not received
// before it, were lost on the wire, and their credit is returned: as a receiver of InfiniBand sets
// its adjusted blocks received to the total blocks sent (Architecture Specification, volume 1,
// 7.9.4.3), and as BB_Credit recovery of Fibre Channel does with counts of frames (FC-FS).
// Bound: eight additions to check whether an update is due. Advertising in quanta needs a buffer
// that is larger by one quantum, and by a second one to keep the wire busy after a lost update.
#pragma once

#include <algorithm>
#include <cassert>
#include <utility>

#include "dataplane/credits/credit_terms.h"
#include "dataplane/types/units.h"

namespace sluice {

// The conditions under which a limit is advertised.
struct CreditPace {
    Bytes quantum{1};  // octets returned, over all priorities, that make an update due
    Nanos refresh{0};  // time after the last update at which the next is due; 0: no refresh
};

class CreditReceiver {
  public:
    CreditReceiver(const CreditTerms& terms, const CreditPace& pace) : terms_(terms), pace_(pace) {}

    // Sets the terms. Received and stored octets stay counted.
    void configure(const CreditTerms& terms, const CreditPace& pace) {
        if (terms != terms_) make_due();
        terms_ = terms;
        pace_ = pace;
    }
    // Counts received octets from 0, and makes an update due. Stored frames stay counted until they
    // leave.
    void restart() {
        received_.fill(0);
        make_due();
    }

    // Makes an update due at once.
    void make_due() { was_sent_ = false; }

    // Counts a received frame of this cost, whether it is stored or not.
    void came(Priority priority, Bytes cost) {
        if (terms_.is_lossless(priority)) received_[priority] = advanced(received_[priority], cost);
    }
    // Stores a frame that needs `cost` octets of the buffer. Returns false if there is no room: the
    // frame was sent without credit, and the caller drops it.
    bool take(Priority priority, Bytes cost) {
        if (!terms_.is_lossless(priority)) return true;
        if (occupied_[priority] + cost > terms_.buffer) return false;
        occupied_[priority] += cost;
        return true;
    }
    // Removes a stored frame from the buffer.
    void give_back(Priority priority, Bytes cost) {
        if (!terms_.is_lossless(priority)) return;
        assert(cost <= occupied_[priority]);
        occupied_[priority] -= cost;
    }
    // Sets the stored octets, for callers that count them themselves.
    void set_occupied(Priority priority, Bytes occupied) {
        assert(occupied.count() >= 0);
        occupied_[priority] = occupied;
    }
    // Compares the received octets with those that the sender reports as `consumed`. Returns how
    // many were lost on the wire. The result is negative if the sender violates the terms: it
    // reports fewer octets than were received.
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
    // Whether an update is due even if no credit was returned.
    [[nodiscard]] bool is_refresh_due(Nanos now) const {
        return !was_sent_ || (pace_.refresh.count() > 0 && now - advertised_at_ >= pace_.refresh);
    }
    // Whether an update is due, for a refresh or for returned credit.
    [[nodiscard]] bool is_due(Nanos now) const {
        if (is_refresh_due(now)) return true;
        const CreditCounts now_due = limits();
        Bytes most;
        for_each_priority(terms_.lossless, [&](Priority priority) {
            most = std::max(most, ahead_of(now_due[priority], advertised_[priority]));
        });
        return most.count() > 0 && most >= pace_.quantum;
    }
    // Notes that the limits that `limits` returned were sent.
    void sent(Nanos now) {
        was_sent_ = true;
        advertised_at_ = now;
        advertised_ = limits();
    }

    [[nodiscard]] const CreditTerms& terms() const { return terms_; }
    [[nodiscard]] Bytes occupied(Priority priority) const { return occupied_[priority]; }
    // Returns the limits that were sent last.
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
