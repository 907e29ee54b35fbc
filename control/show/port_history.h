// PortHistory: rates and pause times of ports in the last ten minutes, to look at after an
// incident.
//
// Bound: `points` points of `seconds_a_point` for each port, 16 octets each: 120 KiB for 64 ports.
// A port is identified by its name; a renamed port starts again. Called once a second, without a
// clock. A point is the mean of its five seconds, so a burst within one second appears with a fifth
// of its rate.
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
        double paused = 0;   // share of the second, for the priority paused longest by the peer
        double pausing = 0;  // share of the second, for the priority that this port paused longest
    };
    struct Port {
        std::string name;
        std::optional<Second> second;  // empty: not known
    };

    // Takes the last second of all ports that exist; the history of other ports is discarded.
    void take(std::span<const Port> ports);
    // Returns `every_s, rx_bps, tx_bps, paused_share, pausing_share`: lists of equal length, the
    // oldest point first. Null: the value is not known. An unknown port has empty lists.
    [[nodiscard]] Json of(const std::string& port) const;

  private:
    using Point = std::array<float, 4>;
    struct Track {
        std::array<std::optional<Point>, points> ring;
        std::size_t taken = 0;  // number of points taken
        Point sum = {};
        unsigned seconds = 0;  // number of seconds in `sum`
        unsigned known = 0;    // number of seconds in `sum` with known values
        uint64_t turn = 0;     // number of the call of `take` in which the port last existed
    };
    static void add(Track& track, const std::optional<Second>& second);

    std::map<std::string, Track> tracks_;
    uint64_t turn_ = 0;
};

}  // namespace sluice::control
