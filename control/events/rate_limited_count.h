// RateLimitedCount: reports a count when it grows: at once, and every 10 s while it continues to
// grow, with the increase since the last report. So a count that grows does not fill the log.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace sluice::control {

class RateLimitedCount {
  public:
    using Time = std::chrono::steady_clock::time_point;

    // Returns by how much `count` has grown since the last report; empty: no report is due. A count
    // that has become smaller was restarted.
    std::optional<uint64_t> look(uint64_t count, Time now) {
        if (count < reported_) reported_ = count;
        if (count == reported_ || (reported_at_ && now - *reported_at_ < interval)) return {};
        const uint64_t more = count - reported_;
        reported_ = count;
        reported_at_ = now;
        return more;
    }
    // Excludes the growth up to `count` from reports.
    void skip(uint64_t count) { reported_ = count; }

  private:
    static constexpr std::chrono::seconds interval{10};

    uint64_t reported_ = 0;
    std::optional<Time> reported_at_;
};

}  // namespace sluice::control
