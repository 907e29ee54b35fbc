// DemoLive: shows the switch's ports while the demo runs: on a terminal a table that is redrawn in
// place twice a second, otherwise a line a second. It is written to standard error, so that
// standard output has only results.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "dataplane/switch.h"
#include "tools/gen/demo/phases.h"

namespace sluice::gen {

class DemoLive {
  public:
    explicit DemoLive(const Switch& fabric);

    // Draws the ports, unless the last drawing is too recent.
    void look(const PhasePlan& plan);
    // Keeps the present table: the next one is drawn below it.
    void leave() { lines_ = 0; }

  private:
    struct PortReading {
        uint64_t rx_frames = 0;
        uint64_t tx_frames = 0;
        uint64_t tx_bytes = 0;
        uint64_t dropped = 0;
        uint64_t paused_nanos = 0;
    };
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] PortReading read(PortIndex port) const;
    void draw(const PhasePlan& plan, double seconds, const std::vector<PortReading>& now);
    void write_line(const PhasePlan& plan, double seconds, const std::vector<PortReading>& now);

    const Switch& fabric_;
    const bool terminal_;
    Clock::time_point drawn_;
    std::vector<PortReading> before_;
    std::size_t lines_ = 0;  // lines of the table on the terminal
};

}  // namespace sluice::gen
