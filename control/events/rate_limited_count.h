// RateLimitedCount: reports a count when it grows: at once, and while it goes on growing every 10 s
// with the increase since, so that it does not fill the log.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace sluice::control {

class RateLimitedCount {
  public:
    using Time = std::chrono::steady_clock::time_point;

    // By how much the count, `count` now, has grown since the last report; empty: no report is due.
    // A count that has become smaller was restarted.
    std::optional<uint64_t> look(uint64_t count, Time now) {
        if (count < reported_) reported_ = count;
        if (count == reported_ || (reported_at_ && now - *reported_at_ < interval)) return {};
        const uint64_t more = count - reported_;
        reported_ = count;
        reported_at_ = now;
        return more;
    }
    // Up to here nothing is to be reported.
    void skip(uint64_t count) { reported_ = count; }

  private:
    static constexpr std::chrono::seconds interval{10};

    uint64_t reported_ = 0;
    std::optional<Time> reported_at_;
};

}  // namespace sluice::control
