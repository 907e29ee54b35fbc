// Agent: the LLDP agent of one port (IEEE 802.1AB-2016 clause 9): sends LLDPDUs that describe this
// switch and keeps the LLDPDUs of its neighbours.
//
// Frames and time are arguments and results: pass received frames to `receive`, send the frames
// that `next_frame` returns until it returns none, and call `expire` and `next_frame` again at
// `deadline`. Each call returns the changes among the neighbours that it caused. Without link there
// are no neighbours and nothing is sent; when the link comes up, the first frames are sent by fast
// transmission. An agent that is disabled sends a shutdown LLDPDU and starts again no sooner than
// `reinit_delay` later.
// Bound: O(octets) a frame; `most_neighbours`; the frame rate of TransmitTimer.
// Not done here: recognising LLDP frames among a port's frames (the dataplane does), sockets,
// threads, text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control/lldp/lldpdu.h"
#include "control/lldp/neighbour_table.h"
#include "control/lldp/organisational.h"
#include "control/lldp/transmit_timer.h"
#include "dataplane/types/address.h"
#include "dataplane/types/units.h"

namespace sluice::lldp {

enum class Mode : uint8_t { disabled, tx, rx, both, last = both };  // adminStatus

struct AgentSettings {
    Mode mode = Mode::both;
    TransmitTimes times;
    uint16_t hold = 4;                                                // msgTxHold
    Nanos reinit_delay{2'000'000'000};                                // reinitDelay
    MacAddress address;                                               // source address of frames
    std::size_t longest = longest_lldpdu;                             // most octets of an LLDPDU
    DestinationSet destinations = only(Destination::nearest_bridge);  // destinations of LLDPDUs
    Lldpdu local;  // the TLVs to send; the agent fills in the TTL and the organisational TLVs
};

// Counters by the standard's names (9.2.6): statsFramesInTotal and so on.
struct Statistics {
    uint64_t frames_out = 0;
    uint64_t frames_in = 0;
    uint64_t frames_in_errors = 0;
    uint64_t frames_discarded = 0;  // malformed frames, and frames of neighbours beyond the limit
    uint64_t ageouts = 0;
    uint64_t lldpdu_length_errors = 0;  // LLDPDUs sent without the TLVs for which there was no room
    TlvCounts tlvs;
};

class Agent {
  public:
    explicit Agent(AgentSettings settings);

    // Sets the settings. A new chassis or port ID makes this port another neighbour to the peer, so
    // a shutdown LLDPDU with the old IDs is sent first.
    NeighbourChanges configure(AgentSettings settings, Nanos now);
    NeighbourChanges set_link(bool up, Nanos now);
    // Sets the organisational TLVs to send. If they differ from the TLVs set before, a frame is due
    // at once.
    void set_organisational(std::vector<OrganisationalTlv> tlvs, Nanos now);
    // Starts fast transmission, as for a new neighbour: the neighbour may have restarted.
    void announce(Nanos now);
    // Disables the agent until the next `configure`, and sends a shutdown LLDPDU.
    NeighbourChanges stop(Nanos now);

    // Takes a received frame, with its Ethernet header, with or without a tag.
    NeighbourChanges receive(std::span<const uint8_t> frame, Nanos now);
    // Removes the neighbours whose TTL has run out.
    NeighbourChanges expire(Nanos now);
    // Returns a frame that is due now, or empty. Each destination gets a frame of its own, with
    // Ethernet header, padded to 60 octets, without FCS.
    std::optional<Octets> next_frame(Nanos now);
    // Takes back a frame of `next_frame` that could not be sent: it is due again once there is
    // transmit credit. A shutdown LLDPDU is dropped if the port starts to send again before.
    void requeue(Octets frame, Nanos now);
    // Returns when to call `expire` and `next_frame` next, unless something else happens first.
    [[nodiscard]] Nanos deadline() const;

    [[nodiscard]] const AgentSettings& settings() const { return settings_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    [[nodiscard]] std::span<const Neighbour> neighbours() const { return table_.neighbours(); }
    [[nodiscard]] bool too_many_neighbours(Nanos now) const { return table_.too_many(now); }
    [[nodiscard]] std::vector<OrganisationalNeighbour> organisational() const;

  private:
    [[nodiscard]] bool may_send() const;
    [[nodiscard]] bool receives() const;
    NeighbourChanges update(Nanos now);
    void shut_down(Nanos now);
    void queue_information();

    AgentSettings settings_;
    Statistics statistics_;
    NeighbourTable table_;
    TransmitTimer timer_;
    bool link_ = false;
    bool sends_ = false;
    std::vector<Octets> due_;  // frames due now, the next one last; after a stop, shutdown LLDPDUs
    Nanos restart_;            // earliest time to send again after a shutdown
};

}  // namespace sluice::lldp
