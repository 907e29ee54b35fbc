// Agent: LLDP of one port (802.1AB-2016 clause 9): who we are goes out, who is there comes in.
//
// Frames and time are arguments and return values: `receive` what came, send what `next_frame`
// gives until it gives none, call `expire` and `next_frame` at `deadline`. What changed among the
// neighbours is returned by whatever changed it. Without link there are no neighbours, and nothing
// is sent; with it the first frames follow fast. Whoever is told to stop sending says so to its
// neighbours (shutdown), and starts again no sooner than `reinit_delay` later.
// Bound: O(octets) a frame, `most_neighbours`, and what TransmitTimer lets out.
// Not done here: which frames are LLDP's among a port's (the dataplane), sockets, threads, text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control/lldp/lldpdu.h"
#include "control/lldp/neighbour_table.h"
#include "control/lldp/organisational.h"
#include "control/lldp/transmit_timer.h"
#include "dataplane/address.h"
#include "dataplane/units.h"

namespace sluice::lldp {

enum class Mode : uint8_t { disabled, tx, rx, both };  // adminStatus

struct AgentSettings {
    Mode mode = Mode::both;
    TransmitTimes times;
    uint16_t hold = 4;                  // msgTxHold
    Nanos reinit_delay{2'000'000'000};  // reinitDelay
    MacAddress address;                 // source of its frames
    std::size_t longest = longest_lldpdu;
    Lldpdu local;  // what it says; its TTL and organisational TLVs are the agent's to fill in
};

// By the standard's names, 9.2.6: statsFramesInTotal and so on.
struct Statistics {
    uint64_t frames_out = 0;
    uint64_t frames_in = 0;
    uint64_t frames_in_errors = 0;
    uint64_t frames_discarded = 0;  // those with errors, and those of too many neighbours
    uint64_t ageouts = 0;
    uint64_t lldpdu_length_errors = 0;  // frames that did not hold all that they were to say
    TlvCounts tlvs;
};

class Agent {
  public:
    explicit Agent(AgentSettings settings);

    // Another chassis or port id is another neighbour: the one before is shut down first.
    NeighbourChanges configure(AgentSettings settings, Nanos now);
    NeighbourChanges set_link(bool up, Nanos now);
    // What it sends for others from now on.
    void set_organisational(std::vector<OrganisationalTlv> tlvs, Nanos now);
    // A neighbour that it knows may know nothing of it: frames follow fast, as for a new one.
    void announce(Nanos now);
    // To its neighbours it is gone; until it is configured again.
    NeighbourChanges stop(Nanos now);

    // One frame with its Ethernet header, tagged or not.
    NeighbourChanges receive(std::span<const uint8_t> frame, Nanos now);
    // Those whose time is over.
    NeighbourChanges expire(Nanos now);
    // A whole frame that is due now, of 60 octets or more.
    std::optional<Octets> next_frame(Nanos now);
    // The frame that `next_frame` just gave was not sent: it is due again, as credit allows. A
    // shutdown only until the port sends anew.
    void give_back(Octets frame, Nanos now);
    // When the next of these is due, if nothing comes in between.
    [[nodiscard]] Nanos deadline() const;

    [[nodiscard]] const AgentSettings& settings() const { return settings_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    [[nodiscard]] std::span<const Neighbour> neighbours() const { return table_.neighbours(); }
    [[nodiscard]] bool too_many_neighbours(Nanos now) const { return table_.too_many(now); }
    [[nodiscard]] std::vector<OrganisationalNeighbour> organisational() const;

  private:
    [[nodiscard]] bool may_send() const;
    [[nodiscard]] bool listens() const;
    NeighbourChanges follow(Nanos now);
    void shut_down(Nanos now);
    Octets information();

    AgentSettings settings_;
    Statistics statistics_;
    NeighbourTable table_;
    TransmitTimer timer_;
    bool link_ = false;
    bool sends_ = false;
    std::optional<Octets> shutdown_;  // a frame that is due before any other
    Nanos restart_;                   // not to send again before
};

}  // namespace sluice::lldp
