// MoveWatch: reports addresses whose move was refused: their frames are dropped at a port, since
// another port keeps the address (`fdb.moves: refuse`, `fdb.sticky`, `fdb.static`).
//
// An address at a port is reported at once, and again every `interval` while refusals continue.
// Bound: `most` addresses an interval are reported by name; an event reports the number of the
// others. An address that was not refused for an interval is forgotten. Not done here: judging
// whether a move is legitimate; the virtual address of a VRRP router moves by design.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "dataplane/forward/refused_move.h"

namespace sluice::control {

class MoveWatch {
  public:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::seconds interval{60};
    static constexpr std::size_t most = 16;

    // The moves to report by name, and the number of further addresses.
    struct Report {
        std::vector<RefusedMove> moves;
        std::size_t beyond = 0;
    };
    Report look(const std::vector<RefusedMove>& moves, Time now) {
        std::erase_if(reported_, [&](const auto& one) { return now - one.second >= interval; });
        Report report;
        std::set<Seen> beyond;
        for (const RefusedMove& move : moves) {
            const Seen seen{move.source, move.port};
            if (reported_.contains(seen)) continue;
            if (reported_.size() < most) {
                reported_.emplace(seen, now);
                report.moves.push_back(move);
            } else {
                beyond.insert(seen);
            }
        }
        if (beyond.empty() || (beyond_at_ && now - *beyond_at_ < interval)) return report;
        beyond_at_ = now;
        report.beyond = beyond.size();
        return report;
    }

  private:
    using Seen = std::pair<Fdb::Key, PortIndex>;

    std::map<Seen, Time> reported_;  // time of the last report
    std::optional<Time> beyond_at_;  // time of the last report of further addresses
};

// Whether the address is a virtual MAC address of VRRP (RFC 9568 7.3): 00-00-5E-00-01-xx or
// 00-00-5E-00-02-xx.
constexpr bool is_virtual_router(MacAddress address) {
    const uint64_t block = address.bits >> 8;
    return block == 0x00005E0001 || block == 0x00005E0002;
}

}  // namespace sluice::control
