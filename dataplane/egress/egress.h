// Egress: one output port: its queues, who of them may send, and in which order.
//
// `select` takes frames off the queues; `put_back` returns those that the device refused, so that
// they obey a pause that comes in between, and leave no trace in whose turn it is. `room` is what
// the port offers to the fabric.
// Bound: two quanta a priority (egress_queue.h). Its worker alone touches it; counters may be read.
#pragma once

#include <array>
#include <span>

#include "dataplane/egress/egress_queue.h"
#include "dataplane/egress/scheduler.h"
#include "dataplane/egress/shaper.h"
#include "dataplane/frame.h"
#include "dataplane/limits.h"
#include "dataplane/pfc/pause_gate.h"
#include "dataplane/settings.h"

namespace sluice {

class Egress {
  public:
    void configure(const PortSettings& settings, Bytes quantum);

    void push(std::span<const Frame> frames);
    // Fills the burst, at most max_burst frames, as far as frames may be sent at `now`.
    std::size_t select(std::span<Frame> burst, Nanos now);
    // The device took the first `sent` of what the last `select` chose; nothing came in between.
    void put_back(std::span<const Frame> burst, std::size_t sent);
    // Takes frames whatever the gate says; for a port that is down.
    std::size_t take_any(std::span<Frame> burst);

    // Priorities that have room for one more transfer.
    [[nodiscard]] PrioritySet room() const { return room_; }
    [[nodiscard]] bool empty() const { return backlog_ == 0; }
    PauseGate& gate() { return gate_; }

    [[nodiscard]] const PauseGate& gate() const { return gate_; }
    [[nodiscard]] const EgressQueue& queue(Priority priority) const { return queues_[priority]; }
    [[nodiscard]] uint64_t waiting() const;

  private:
    std::size_t choose(std::span<Frame> burst);
    // A queue's length changed: keep the two sets true.
    void update(Priority priority);

    PrioritySet backlog_ = 0;
    PrioritySet room_ = 0xFF;
    Bytes quantum_;
    Scheduler scheduler_;
    Scheduler before_;  // scheduler_ as the last `select` found it
    PrioritySet paused_ = 0;
    Shaper shaper_;
    PauseGate gate_;
    std::array<EgressQueue, max_priorities> queues_;
};

}  // namespace sluice
