// Poll: one poll of a worker, from top to bottom. It receives a burst from each port and sends that
// port its due pause frame; sends frames of control; matches and transfers; gives each port first a
// pause frame that is due again, or an update of credit, then data until the device refuses or
// nothing is left; and housekeeps. The worker, the simulator's switch, the benches, the threads
// test and the rig of all other tests run this code. `Ports` is pmd_glue/devices.h in the switch,
// tools/sim/network/switch_node.h in the simulator and tests/support/rig_ports.h in the rig.
//
// `Ports` stands between a shard and the wires, and owns the buffers:
//   InputSet ready()                            inputs that may have received anything
//   PortSet writable()                          ports whose device may take a frame now
//   size_t receive(const ReceiveQueue&, span<Frame>)
//                                               its next burst, handle, data and length set
//   size_t transmit(PortIndex, span<const Frame>)
//                                               how many of them, from the first on, the device
//                                               took; what was taken is no longer the shard's
//   size_t edit_tags(PortIndex, span<Frame>, pcps)
//                                               writes the edits that are due (tag.h); how many are
//                                               ready before one that gets no buffer of its own
//   bool send(PortIndex, span<const uint8_t>)   a frame that was made here; false: refused
//   void release(Released&)                     does what it asks for, and clears it
//   void free(const Frame&)
// It also has what poll_retry.h calls. Optional, if quicker for one port:
//   bool is_writable(PortIndex)                 as `writable` says
// and, where links have flow control of their own beside PFC, such as credits:
//   PrioritySet blocked(PortIndex)              of these nothing is sent now
// and, where several ports may send by one device:
//   PortSet share_devices()                     those that do: pauses of all go ahead of any data,
//                                               and each has its turn to be the first
// and, where a burst that is not full does not say that nothing more waits
//   bool holds_back(const ReceiveQueue&)        whether the last `receive` left something behind
// Optional, if a device may refuse a frame for ever:
//   bool gives_up(PortIndex)                    whether the first frame that the last `transmit`
//                                               did not take is one of these: it is dropped
// Optional, if a device sends in one go what it took:
//   flush(PortSet, blocked)                     at the end of a poll, of the ports of the worker,
//                                               and nothing of tunnels that are blocked(tunnel)
// Optional, if ports may have a receive and a transmit queue for each priority
// (pfc/queue_backpressure.h):
//   size_t receive(const ReceiveQueue&, span<Frame>, PrioritySet stopped)
//                                               the same, but of the queues of `stopped` nothing.
//                                               Of such a port `transmit` ends at the first frame
//                                               whose own queue is full; the others of its priority
//                                               wait for the next poll, the rest goes on
//
// An idle port is polled every fourth time while other ports are busy.
// A poll sends as much as it receives: a frame whose output is open, and whose device takes all
// frames, leaves in the poll that received it, or in the next poll of the worker that has the
// output. So a backlog grows only at an output that is slower than its load, or whose worker is.
// Bound: a poll takes one burst from a port, or from a lane of one. It then makes eight turns of
// `slots` matchings and two bursts to a port: fewer once nothing moves, and one more for each
// priority whose own queue is full. It makes further turns only while more frames wait in the
// worker's VOQs than did before the poll, and only to ports whose device has refused nothing in
// this poll: each of these ports sends at least one frame. It also makes such turns between two
// bursts, if the bursts before them filled a quarter of the pool. No turn waits, locks or
// allocates. `now` is the same throughout, so a frame's time is exact to one poll. egress/egress.h
// says what may be sent before a frame of a higher priority; such turns may be as well.
// Not done here: clock, threads, sleep, new settings, the stop (pmd_glue/worker.h).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <span>
#include <utility>

#include "dataplane/fabric/crossbar.h"
#include "dataplane/poll_retry.h"
#include "dataplane/shard.h"
#include "dataplane/switch.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/released.h"

namespace sluice {

// An input that is polled: a port, or a lane of one.
struct ReceiveQueue {
    InputIndex input;
    PortIndex port;
    uint16_t lane;  // among those of the port
};

template <class Ports>
concept PollPorts = requires(Ports ports, const ReceiveQueue& from, PortIndex port,
                             std::span<Frame> frames, std::span<const uint8_t> octets,
                             const std::array<uint8_t, max_priorities>& pcps, Released& released) {
    { ports.ready() } -> std::same_as<InputSet>;
    { ports.writable() } -> std::same_as<PortSet>;
    { ports.receive(from, frames) } -> std::same_as<std::size_t>;
    { ports.transmit(port, std::span<const Frame>(frames)) } -> std::same_as<std::size_t>;
    { ports.edit_tags(port, frames, pcps) } -> std::same_as<std::size_t>;
    { ports.send(port, octets) } -> std::same_as<bool>;
    ports.release(released);
    ports.free(frames.front());
};

template <PollPorts Ports>
class Poll {
  public:
    struct Done {
        std::size_t received = 0;
        std::size_t sent = 0;     // those made here included
        std::size_t flushed = 0;  // by housekeeping

        [[nodiscard]] bool busy() const { return received + sent > 0; }
    };

    // `burst`: frames at a time, 1 to max_burst. With several workers fewer are received: as many
    // as one worker may hand over to an output. All arguments outlive this object.
    Poll(const Switch& dataplane, Shard& shard, Ports& ports, std::size_t burst = max_burst)
        : shard_(shard),
          ports_(ports),
          retry_(dataplane, shard, ports),
          burst_(burst),
          received_at_once_(std::min(burst, share_of_handoff(dataplane.worker_count()))) {
        assert(0 < burst && burst <= max_burst);
        for_each_input(shard.inputs(), [&](InputIndex input) {
            const PortIndex port = dataplane.port_of(input);
            const InputSet before = dataplane.lanes_of(port) & first_ports(input.number);
            queues_[input.number] = {input, port, static_cast<uint16_t>(std::popcount(before))};
        });
    }

    // The part of the poll for link-level retry.
    [[nodiscard]] const RetryPoll<Ports>& retry() const { return retry_; }
    // From now on only acknowledgements of links with retry are received.
    void stop_receiving() { receives_ = false; }

    // `slots`: matchings a turn, 1 or more.
    Done operator()(Nanos now, int slots) {
        Done done;
        refused_ = 0;
        const std::size_t waiting = shard_.waiting();
        retry_.start(now);
        receives_ ? receive(now, slots, done) : hear_answers(now);
        if (retry_.ports() != 0) [[unlikely]] {
            retry_.let_in(now, released_, [this] { release(); });
            done.sent += retry_.send_signals(now);
        }
        if (const PortSet due = shard_.take_control_due()) done.sent += send_for_control(due, now);
        if (retry_.ports() != 0) [[unlikely]]
            done.sent += send_again(now);
        let_out(now, slots, waiting, done);
        const auto blocked = [&](PortIndex tunnel) {
            return shard_.block_with_underlay(tunnel, now);
        };
        if constexpr (requires { ports_.flush(shard_.ports(), blocked); }) {
            ports_.flush(shard_.ports(), blocked);
        }
        retry_.end();
        shard_.housekeep(now, released_);
        done.flushed = released_.freed_count;
        release();
        was_busy_ = done.busy();
        return done;
    }

  private:
    static constexpr int turns = 8;                    // of crossing and sending, whatever came
    static constexpr int bursts_a_turn = 2;            // to one port
    static constexpr uint8_t polls_until_silent = 64;  // without a frame from one port
    static constexpr unsigned polls_a_silent_port = 4;

    // Turns of matching and sending: each frame that leaves makes room for one that waits. After
    // the first turns they go on until no more than `waiting` frames wait.
    void let_out(Nanos now, int slots, std::size_t waiting, Done& done) {
        bool is_to_move = true;  // or nothing moved in the last turn
        for (int turn = 1;; ++turn) {
            const std::size_t pairs = cross(slots);
            std::size_t left = 0;
            PortSet ready = shard_.active() & ports_.writable();
            if (turn > turns) [[unlikely]]
                ready &= ~refused_;
            const auto send_ready = [&](PortIndex port) { left += send(port, now); };
            if constexpr (requires { ports_.share_devices(); }) {
                if (ports_.share_devices() != 0) [[unlikely]]
                    left += send_pauses(ready, now);
                // The first to send changes from turn to turn, as ports may share a device.
                PortSet later = ready & first_ports(first_to_send_);
                for (PortSet part = ready & ~later; (part | later) != 0;
                     part = std::exchange(later, 0)) {
                    for_each_port(part, send_ready);
                }
            } else {
                for_each_port(ready, send_ready);
            }
            done.sent += left;
            // Where priorities share a port, some may have waited for their turn at the fabric.
            const bool waits_for_turn = (shard_.holding_in_turns() & ~refused_) != 0;
            if (left == 0 && !(is_to_move && waits_for_turn)) break;
            is_to_move = left > 0;
            const bool holds = (shard_.holding() & ~refused_) != 0;
            if (pairs == 0 && !holds && !shard_.waits_for_room()) break;
            const bool is_as_before = shard_.waiting() > 0 || !holds;
            if (turn >= turns && shard_.waiting() <= waiting && is_as_before) break;
        }
    }

    void receive(Nanos now, int slots, Done& done) {
        ++turn_;
        const std::size_t waiting = shard_.waiting();
        const Bytes pool_used = shard_.pool_used();
        for_each_input(ports_.ready() & shard_.inputs(), [&](InputIndex input) {
            const ReceiveQueue& from = queues_[input.number];
            if (skips(input) || waits(from)) return;
            const std::size_t count = receive(from, now);
            if (count == 0) return;
            done.received += count;
            // XOFF is sent before the next port's burst is received. For a lane whose port another
            // worker has, XOFF is sent at that worker's next poll.
            const bool is_due = from.input == from.port ? shard_.pause_is_due(from.port, now)
                                                        : (shard_.ports() & only(from.port)) != 0;
            if (is_due) done.sent += send_pause(from.port, now);
            // Many ports may bring more for one output than the buffer holds.
            if (shard_.waiting() > waiting && shard_.has_filled_pool(pool_used)) [[unlikely]]
                let_out(now, slots, waiting, done);
        });
    }
    void hear_answers(Nanos now) {
        for_each_port(retry_.heard() & ports_.writable(), [&](PortIndex port) {
            const std::size_t count = ports_.receive(queues_[port], frames_);
            retry_.hear_answers(port, std::span(frames_).first(count), now);
        });
    }
    // Whether an idle port is skipped in this poll.
    [[nodiscard]] bool skips(InputIndex input) const {
        return was_busy_ && silence_[input.number] == polls_until_silent &&
               (turn_ + input.number) % polls_a_silent_port != 0;
    }
    // Whether a lane is to wait for its port's worker.
    [[nodiscard]] bool waits(const ReceiveQueue& from) const {
        return from.input != from.port && shard_.waits_for_port(from.input);
    }
    std::size_t receive(const ReceiveQueue& from, Nanos now) {
        const std::span<Frame> room(frames_.data(), received_at_once_);
        const std::size_t count = take(from, room);
        uint8_t& silence = silence_[from.input.number];
        if (count == 0) {
            silence = std::min<uint8_t>(silence + 1, polls_until_silent);
            judge_peer(from, true, now);
            return 0;
        }
        silence = 0;
        std::size_t own = count;
        if (retry_.is_at(from.port)) [[unlikely]]
            own = retry_.unwrap(from.port, room.first(count), now);
        if (own > 0) shard_.receive(from.input, room.first(own), now, released_);
        judge_peer(from, count < room.size(), now);
        release();
        return count;
    }

    [[nodiscard]] bool holds_back(const ReceiveQueue& from) const {
        if constexpr (requires { ports_.holds_back(from); }) return ports_.holds_back(from);
        return false;
    }

    // For a port whose peer is paused. `short_burst`: the burst was not full, so only frames that
    // the device holds back wait to be received.
    void judge_peer(const ReceiveQueue& from, bool short_burst, Nanos now) {
        if (!shard_.may_pause(from.port)) return;
        if (shard_.ingress(from.input).pause_sender().announced() != 0) [[unlikely]]
            shard_.judge_peer(from.input, short_burst && !holds_back(from), now);
    }

    std::size_t take(const ReceiveQueue& from, std::span<Frame> room) {
        if (shard_.holds_by_rings(from.port)) [[unlikely]]
            return take_but_stopped(from, room);
        return ports_.receive(from, room);
    }
    [[gnu::noinline]] std::size_t take_but_stopped(const ReceiveQueue& from,
                                                   std::span<Frame> room) {
        const PrioritySet stopped = shard_.stopped_queues(from.port, room.size());
        if constexpr (requires { ports_.receive(from, room, stopped); }) {
            if (shard_.has_queues(from.port)) return ports_.receive(from, room, stopped);
        }
        return stopped == 0 ? ports_.receive(from, room) : 0;
    }

    std::size_t cross(int slots) {
        std::size_t pairs = 0;
        for (int slot = 0; slot < slots && shard_.may_transfer(); ++slot) {
            const std::size_t matched = shard_.match();
            shard_.transfer();
            pairs += matched;
            if (matched == 0) break;
        }
        return pairs;
    }

    [[nodiscard]] bool is_writable(PortIndex output) const {
        if constexpr (requires { ports_.is_writable(output); }) {
            return ports_.is_writable(output);
        } else {
            return (ports_.writable() & only(output)) != 0;
        }
    }
    // Sends the pause frames of all ports ahead of any data: ports may share a device, and the data
    // of one port may fill it.
    [[gnu::noinline]] std::size_t send_pauses(PortSet ready, Nanos now) {
        first_to_send_ = static_cast<PortIndex>((first_to_send_ + 1) % max_ports);
        std::size_t sent = 0;
        for_each_port(ready, [&](PortIndex port) { sent += send_pause(port, now); });
        return sent;
    }
    std::size_t send(PortIndex output, Nanos now) {
        std::size_t total = send_pause(output, now);
        if (shard_.has_credit(output)) [[unlikely]]
            total += send_credit(output, now);
        const std::span<Frame> room(frames_.data(), burst_);
        for (int burst = 0;
             burst < bursts_a_turn && shard_.has_to_send(output) && is_writable(output);) {
            if constexpr (requires { ports_.blocked(output); }) {
                shard_.block(output, ports_.blocked(output));
            }
            const bool has_retry = retry_.is_at(output);
            if (has_retry) [[unlikely]]
                retry_.hold(output);
            const std::size_t count = shard_.transmit(output, room, now);
            if (count == 0) break;
            const std::span<Frame> frames = room.first(count);
            std::size_t ready = count;
            if (shard_.edits_tags()) {
                ready = ports_.edit_tags(output, frames, shard_.pcp_of_own_tags(output));
                if (ready == 0) {
                    give_up_first(output, frames, Drop::no_buffer, now);
                    ++burst;
                    continue;
                }
            }
            const bool updates_csig = shard_.updates_csig(output);
            if (updates_csig) [[unlikely]]
                shard_.update_csig(output, frames.first(ready), now);
            if (shard_.is_captured()) [[unlikely]]
                shard_.capture(output, frames.first(ready), now);
            const std::size_t sent = has_retry ? retry_.transmit(output, frames.first(ready), now)
                                               : ports_.transmit(output, frames.first(ready));
            const Drop why = sent > 0 ? Drop::none : retry_.refusal(output, has_retry);
            if (why != Drop::none) [[unlikely]] {
                give_up_first(output, frames, why, now);
                ++burst;
                continue;
            }
            shard_.confirm(output, frames, sent);
            total += sent;
            if (updates_csig) [[unlikely]]
                shard_.csig().output(output).sent(sent);
            const bool has_queues = shard_.has_queues(output);
            if (has_queues) [[unlikely]]
                shard_.queues_took(output, frames.first(sent), now);
            if (sent == count) {
                ++burst;
            } else if (sent < ready && has_queues) {
                shard_.queue_refused(output, frames[sent].priority, now);
            } else {
                refused_ |= only(output);
                break;
            }
        }
        if (total > 0) silence_[output] = 0;  // its peer may answer by a pause
        return total;
    }
    // Drops the first frame of a burst. Either the device never takes it, or its tag cannot be
    // written for want of a buffer for a copy. Waiting for a buffer could last for ever: the frames
    // behind may hold all buffers.
    void give_up_first(PortIndex output, std::span<const Frame> frames, Drop why, Nanos now) {
        shard_.discard_first(output, frames, why, now);
        ports_.free(frames.front());
    }
    // Sends the pause frame that is due, ahead of any data. If the device refuses the frame, the
    // next turn writes it anew, with the state of that time.
    std::size_t send_pause(PortIndex output, Nanos now) {
        if (!shard_.may_pause(output) || !is_writable(output)) return 0;
        std::array<uint8_t, pause_frame_octets> octets;
        if (!shard_.pause_frame(output, octets, now) || !send_generated(output, octets, now))
            return 0;
        shard_.pause_frame_sent(output, now);
        return 1;
    }
    // Sends frames again that links with retry lost: ahead of new data, never ahead of a pause
    // frame.
    [[gnu::noinline]] std::size_t send_again(Nanos now) {
        std::size_t sent = 0;
        for_each_port(retry_.ports() & ports_.writable(), [&](PortIndex port) {
            sent += send_pause(port, now);
            if (!shard_.pause_is_due(port, now)) sent += retry_.send_again(port, now);
        });
        return sent;
    }
    // Sends the update of credit that is due, ahead of any data, but never ahead of a pause frame
    // that the device refused: credit may let the peer go on.
    [[gnu::noinline]] std::size_t send_credit(PortIndex output, Nanos now) {
        if (!is_writable(output) || shard_.pause_is_due(output, now)) return 0;
        std::array<uint8_t, longest_credit_update> octets;
        const std::size_t length = shard_.credit_update(output, octets, now);
        if (length == 0 || !send_generated(output, std::span(octets).first(length), now)) return 0;
        shard_.credit_update_sent(output, length, now);
        return 1;
    }
    // Sends frames of control, such as LLDP, until a port has none left or its device refuses one.
    // A refused frame stays in its mailbox until the next poll.
    std::size_t send_for_control(PortSet due, Nanos now) {
        std::size_t sent = 0;
        for_each_port(due, [&](PortIndex port) {
            for (auto octets = shard_.control_frame(port); !octets.empty();
                 octets = shard_.control_frame(port)) {
                if (!is_writable(port) || !send_generated(port, octets, now)) {
                    return shard_.postpone_control(port);
                }
                shard_.control_frame_sent(port);
                ++sent;
            }
        });
        return sent;
    }

    bool send_generated(PortIndex output, std::span<const uint8_t> octets, Nanos now) {
        const bool is_sent =
            retry_.is_at(output) ? retry_.send(output, octets, now) : ports_.send(output, octets);
        if (!is_sent) return false;
        if (shard_.is_captured()) [[unlikely]]
            shard_.capture_generated(output, octets, now);
        return true;
    }

    void release() {
        if (released_.freed_count + released_.shared_count + released_.cut_count == 0) return;
        ports_.release(released_);
    }

    Shard& shard_;
    Ports& ports_;
    RetryPoll<Ports> retry_;
    const std::size_t burst_;                     // that are sent at once
    const std::size_t received_at_once_;          // from one port
    std::array<ReceiveQueue, max_ports> queues_;  // by input
    bool receives_ = true;
    bool was_busy_ = false;                     // the last poll
    unsigned turn_ = 0;                         // of asking silent ports
    PortSet refused_ = 0;                       // whose device did, in this poll
    PortIndex first_to_send_ = 0;               // moves where ports share devices
    std::array<uint8_t, max_ports> silence_{};  // polls without a frame, as far as counted
    std::array<Frame, max_burst> frames_;
    Released released_;
};

}  // namespace sluice
