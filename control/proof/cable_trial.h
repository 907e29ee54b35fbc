// Cable trial: sends pauses and LLDP between two ports of this switch, to see what arrives.
//
// In each round both ends send a frame of each kind: PFC that pauses nothing
// (dataplane/pfc/pause_trial.h), and LLDP of a station that leaves (TTL 0, 802.1AB 9.2.7.6), under
// a name that no station has. A received frame with this trial's mark arrived by the cable: `mark`
// is random, and its last bit identifies the end. A frame that arrives proves the capability of its
// sender and its receiver; a frame that does not arrive proves nothing about either.
// Bound: `most_rounds` rounds; fewer if all frames have arrived before. Time is an argument.
// Not done here: sending and receiving (cable_trials.h), conclusions (proofs.h).
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

// Counts of frames from one end to the other.
struct Arrivals {
    unsigned pauses_sent = 0;
    unsigned pauses = 0;  // frames that arrived
    unsigned lldp_sent = 0;
    unsigned lldp = 0;
};

class CableTrial {
  public:
    static constexpr unsigned most_rounds = 10;

    // `pauses`: whether pauses are sent; false if a NIC does not pass on received pauses.
    CableTrial(std::array<CableEnd, 2> ends, const TrialMark& mark, bool pauses = true);

    // Sends a round. `send` returns whether the frame was taken.
    using Send = std::function<bool(PortIndex, std::span<const uint8_t>)>;
    void send_round(const Send& send);
    // Returns whether the received frame belongs to this trial.
    bool receive(PortIndex port, std::span<const uint8_t> frame);
    // Whether all frames have arrived in both directions, or the last round and one more are over.
    [[nodiscard]] bool is_over() const;

    [[nodiscard]] const std::array<CableEnd, 2>& ends() const { return ends_; }
    [[nodiscard]] bool tries_pauses() const { return pauses_; }
    // Returns the counts of frames from this end to the other.
    [[nodiscard]] const Arrivals& from(std::size_t end) const { return from_[end]; }
    // Returns the capabilities that are proven at this end.
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
