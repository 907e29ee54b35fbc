// Sender: sends one station's frames on one link, by a pattern and at a rate.
//
// The sender obeys PFC for the configured priorities: no frame of a paused priority is drawn, and
// refused frames of that priority wait. Refused frames are kept by priority and retried before new
// ones, so each flow stays in order. A pause takes effect `response` after it was received: the
// time that a NIC and its driver need (802.1Q annex O). Only frames that the device accepted count
// as offered. Instead of probes the sender may send given octets, such as a pause frame, which
// receivers do not recognise.
// Bound: one burst a poll, and at most one burst waits for each priority.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/pause_gate.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"
#include "tools/gen/address_turns.h"
#include "tools/gen/link.h"
#include "tools/gen/pacer.h"
#include "tools/gen/pattern.h"
#include "tools/gen/probe.h"

namespace sluice::gen {

struct SenderSettings {
    PatternSettings pattern;
    Rate rate;            // rate of each sender
    uint64_t frames = 0;  // frames of each sender; 0: no limit
    VlanId vlan = 0;      // VLAN of the tag; 0: priority-tagged
    uint16_t run = 0;
    uint64_t first_sequence = 0;  // first sequence number of each flow
    uint16_t burst = 1;           // frames sent back to back
    // If not 0, the flow's n-th frame is sent from, or to, host n modulo this number instead of the
    // station. Only for ports with 48-bit addresses.
    uint32_t from_hosts = 0;
    uint32_t to_hosts = 0;
    // The number of addresses of every station; address_turns.h chooses among them. More than 1
    // only for ports with 48-bit addresses.
    uint32_t addresses = 1;
    ProbeStyle style;
    std::vector<uint8_t> octets = {};  // if not empty, every frame has these octets
    PrioritySet obeys = 0;             // priorities whose PFC the sender obeys
    // Each priority has a queue, so a refused frame stops no other priority.
    bool queue_a_priority = false;
    Nanos response;                       // time from receiving a pause to obeying it
    BitsPerSecond speed{10'000'000'000};  // speed of the link, which defines a quantum
};

class Sender {
  public:
    Sender(const SenderSettings& settings, PortIndex self, Link& link, Nanos start);
    ~Sender();
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;

    void receive(const PauseFrame& pause, Nanos now);
    void set_rate(Rate rate, Nanos now) { pacer_ = Pacer(rate, now, settings_.burst); }
    // Sends the frames that are due and not paused. Returns how many the device accepted.
    std::size_t poll(Nanos now);

    [[nodiscard]] bool finished() const;  // whether all `frames` were accepted
    [[nodiscard]] uint64_t offered(PortIndex receiver, Priority priority) const;
    [[nodiscard]] bool sends_probes() const { return settings_.octets.empty(); }
    [[nodiscard]] uint64_t bursts() const { return bursts_; }      // bursts passed to the device
    [[nodiscard]] uint64_t refusals() const { return refusals_; }  // bursts not accepted as a whole
    // Any thread may call these.
    [[nodiscard]] uint64_t frames() const { return frames_.value(); }
    [[nodiscard]] uint64_t octets() const { return octets_.value(); }  // with FCS

  private:
    struct Stock {
        std::array<Frame, burst_frames> frames;
        std::size_t count = 0;
    };

    void obey(Nanos now);
    // Sends refused frames again. Returns false if the device has no room.
    bool retry(PrioritySet eligible, Nanos now);
    std::size_t build(PrioritySet eligible, std::span<Frame> burst);
    // Allocates buffers for frames of part `part` of the mix.
    bool refill(std::size_t part);
    void write_others(const Pattern::Draw& draw, uint64_t sequence, uint8_t* data);
    std::size_t transmit(std::span<const Frame> frames, Nanos now);

    SenderSettings settings_;
    PortIndex self_;
    Link& link_;
    Pattern pattern_;
    Pacer pacer_;
    PauseGate gate_;
    // Pauses not yet obeyed, each with the time at which it takes effect.
    std::deque<std::pair<Nanos, PauseFrame>> received_pauses_;
    uint64_t built_ = 0;
    uint64_t bursts_ = 0;
    uint64_t refusals_ = 0;
    std::vector<uint64_t> next_sequence_;  // [receiver][priority]
    std::vector<AddressTurns> turns_;  // [receiver][priority]; empty if stations have one address
    std::vector<ProbeTemplate> templates_;  // [receiver][priority][part]
    std::array<Stock, max_priorities> waiting_;
    PrioritySet refused_ = 0;                        // priorities that have frames in waiting_
    std::array<Stock, FrameMix::most_parts> spare_;  // empty buffers, by part of the mix
    Counter frames_;
    Counter octets_;
};

}  // namespace sluice::gen
