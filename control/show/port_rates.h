// PortRates: frames and octets that ports received and sent in the last whole second.
//
// The switch computes them, not the client: so a single request shows rates at once, all clients
// see the same rates, and clearing counters does not disturb the rates.
// Bound: two readings of four counters a port, taken once a second by control. It reads no clock.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control/show/json.h"
#include "dataplane/types/units.h"

namespace sluice::control {

// A port's totals of received and sent frames and octets, at one time.
struct PortReading {
    uint64_t rx_frames = 0;
    uint64_t rx_bytes = 0;
    uint64_t tx_frames = 0;
    uint64_t tx_bytes = 0;
};

// Frames and octets in one second.
struct PortRate {
    double rx_frames = 0;
    double rx_bytes = 0;
    double tx_frames = 0;
    double tx_bytes = 0;
};

class PortRates {
  public:
    void take(std::span<const PortReading> readings, Nanos now);
    // Returns the rates by port index. A rate is empty if there are not two readings yet, or if the
    // port's counters restarted.
    [[nodiscard]] std::span<const std::optional<PortRate>> rates() const { return rates_; }

  private:
    std::vector<PortReading> before_;
    std::vector<std::optional<PortRate>> rates_;
    Nanos at_;
};

// Returns `rx_bps, rx_fps, rx_share, tx_bps, tx_fps, tx_share`. Shares are of the link's capacity,
// with preamble, FCS and gap; null if the capacity is not known.
Json json_of(const std::optional<PortRate>& rate, BitsPerSecond link);

}  // namespace sluice::control
