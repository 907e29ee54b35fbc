// PortHistory: what ports received, sent and paused in the last ten minutes, for a look after an
// incident.
//
// Bound: `points` points of `seconds_a_point` for each port, 16 octets each: 120 KiB for 64 ports.
// A port is identified by its name; a renamed port starts again. Taken once a second, without a
// clock: a point is the mean of its five seconds, so a burst within one second shows by a fifth.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "control/show/json.h"

namespace sluice::control {

class PortHistory {
  public:
    static constexpr std::size_t points = 120;
    static constexpr unsigned seconds_a_point = 5;

    struct Second {
        double rx_bps = 0;
        double tx_bps = 0;
        double paused = 0;   // share of it, of the priority that the peer paused for longest
        double pausing = 0;  // likewise, that we paused
    };
    struct Port {
        std::string name;
        std::optional<Second> second;  // none: it is not known
    };

    // All ports that are there; others are forgotten.
    void take(std::span<const Port> ports);
    // `every_s, rx_bps, tx_bps, paused_share, pausing_share`: lists of equal length, the oldest
    // point first. Null: the value is not known. An unknown port has empty lists.
    [[nodiscard]] Json of(const std::string& port) const;

  private:
    using Point = std::array<float, 4>;
    struct Track {
        std::array<std::optional<Point>, points> ring;
        std::size_t taken = 0;  // points so far
        Point sum = {};
        unsigned seconds = 0;  // in `sum`
        unsigned known = 0;    // of these
        uint64_t turn = 0;     // when it was last there
    };
    static void add(Track& track, const std::optional<Second>& second);

    std::map<std::string, Track> tracks_;
    uint64_t turn_ = 0;
};

}  // namespace sluice::control
