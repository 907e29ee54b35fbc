// Cable trial: pauses and LLDP sent between two of our own ports, to see what arrives.
//
// Each round a frame of each kind goes out of either end: PFC that pauses nothing
// (dataplane/pfc/pause_trial.h), and LLDP of a station that is gone (TTL 0, 802.1AB 9.2.7.6), by a
// name that nobody has. What comes in with this trial's mark came by the cable; `mark` is drawn, so
// nobody else knows it, and its last bit says the end. What arrives proves its sender and its
// receiver; what does not proves nothing of either alone.
// Bound: `most_rounds`, and less once all has arrived. Time is an argument.
// Not done here: who sends and receives (cable_trials.h), what follows from it (proofs.h).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "control/proof/proofs.h"
#include "dataplane/pfc/pause_trial.h"
#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

struct CableEnd {
    PortIndex port = 0;
    MacAddress address;
};

// What went from one end to the other.
struct Arrivals {
    unsigned pauses_sent = 0;
    unsigned pauses = 0;  // arrived
    unsigned lldp_sent = 0;
    unsigned lldp = 0;
};

class CableTrial {
  public:
    static constexpr unsigned most_rounds = 10;

    // `pauses`: whether these are tried as well; not where a NIC keeps them for itself.
    CableTrial(std::array<CableEnd, 2> ends, const TrialMark& mark, bool pauses = true);

    // Sends a round. `send`: whether it was taken.
    using Send = std::function<bool(PortIndex, std::span<const uint8_t>)>;
    void send_round(const Send& send);
    // Whether the frame, as it came in, is this trial's.
    bool receive(PortIndex port, std::span<const uint8_t> frame);
    // All has arrived both ways, or it was tried often enough and waited for a round more.
    [[nodiscard]] bool is_over() const;

    [[nodiscard]] const std::array<CableEnd, 2>& ends() const { return ends_; }
    [[nodiscard]] bool tries_pauses() const { return pauses_; }
    // From this end to the other.
    [[nodiscard]] const Arrivals& from(std::size_t end) const { return from_[end]; }
    // Of this end.
    [[nodiscard]] Seen seen(std::size_t end) const;

  private:
    [[nodiscard]] TrialMark mark_of(std::size_t end) const;
    [[nodiscard]] std::vector<uint8_t> pause_of(std::size_t end) const;
    [[nodiscard]] std::vector<uint8_t> lldp_of(std::size_t end) const;

    std::array<CableEnd, 2> ends_;
    TrialMark mark_;
    bool pauses_;
    std::array<Arrivals, 2> from_{};
    unsigned rounds_ = 0;
};

}  // namespace sluice::control
