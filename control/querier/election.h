// Election: elects the querier of a VLAN for one protocol, and schedules the general queries.
//
// The querier with the lowest address is elected (RFC 2236 7, RFC 3376 6.6.2, RFC 3810 7.6.2);
// address 0 always yields to another (RFC 4541 2.1.1). A switch that received a query of a querier
// with precedence sends no queries until that querier has sent none for two of its intervals and
// half a response time (RFC 3376 8.5); then the switch queries at once. The silence of the switch
// is limited to the ageing time of groups, whatever interval the other querier advertises;
// otherwise groups would end. At the start two queries are sent a quarter of an interval apart
// (8.6, 8.7).
// Pure: time is an argument. Bound: a few words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "dataplane/forward/multicast/membership_message.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::querier {

struct Times {
    Nanos interval{125'000'000'000};
    Nanos response{10'000'000'000};
    Nanos ageing{260'000'000'000};  // of groups for which no report is received

    friend bool operator==(const Times&, const Times&) = default;
};

class Election {
  public:
    static constexpr unsigned startup_queries = 2;

    struct Other {
        GroupSource address;
        PortIndex port = 0;
        Nanos until;  // time at which the other querier counts as gone
    };

    Election(const GroupSource& own, const Times& times, Nanos now)
        : own_(own), times_(times), next_(now) {}

    // Takes a query of another querier. `interval_s`: the interval in the query; 0: the query has
    // none.
    void hear(const GroupSource& address, PortIndex port, uint32_t interval_s, Nanos now) {
        constexpr GroupSource none{};
        const auto order = [](const GroupSource& a) { return std::pair(a.high, a.low); };
        if (address == none || (own_ != none && order(address) >= order(own_))) return;
        constexpr int64_t second = 1'000'000'000;
        const Nanos said(static_cast<int64_t>(interval_s) * second);
        const Nanos ours = patience(times_.interval);
        const Nanos longest = std::max(ours, times_.ageing);
        other_ = Other{address, port, now + std::clamp(patience(said), ours, longest)};
    }
    // Called when the port of the other querier was removed, to query without waiting for it.
    void forget_other(Nanos now) {
        other_.reset();
        next_ = now;
    }
    // Returns the querier that is elected instead of this switch; empty: this switch is the
    // querier.
    [[nodiscard]] const std::optional<Other>& other() const { return other_; }
    // Whether a general query is due now. If so, the query counts as sent.
    [[nodiscard]] bool take_due(Nanos now) {
        if (other_ && other_->until <= now) forget_other(now);
        if (other_ || now < next_) return false;
        next_ = now + times_.interval;
        if (started_ < startup_queries && ++started_ < startup_queries) {
            next_ = now + Nanos(times_.interval.count() / 4);
        }
        return true;
    }
    [[nodiscard]] Nanos next() const { return next_; }

  private:
    // Returns how long to wait for a querier with this interval.
    [[nodiscard]] Nanos patience(Nanos interval) const {
        return interval + interval + Nanos(times_.response.count() / 2);
    }

    GroupSource own_;
    Times times_;
    Nanos next_;
    unsigned started_ = 0;
    std::optional<Other> other_;
};

}  // namespace sluice::querier
