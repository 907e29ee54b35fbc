// Poll: one poll of a worker. It receives a burst from each port and sends that port's due pause
// frame; sends frames of control; matches and transfers; sends to each port first a repeated pause
// frame or a credit update that is due, then data until the device refuses a frame or none is left;
// and does housekeeping. The worker, the simulator's switch, the benches, the threads test and the
// rig of all other tests run this code. `Ports` is pmd_glue/devices.h in the switch,
// tools/sim/network/switch_node.h in the simulator and tests/support/rig_ports.h in the rig.
//
// `Ports` is between a shard and its devices, and owns the buffers:
//   InputSet ready()                            returns inputs that may have received a frame
//   PortSet writable()                          returns ports whose device may accept a frame now
//   size_t receive(const ReceiveQueue&, span<Frame>)
//                                               receives a burst; sets handle, data and length
//   size_t transmit(PortIndex, span<const Frame>)
//                                               returns how many frames, from the first on, the
//                                               device accepted; it then owns them
//   size_t edit_tags(PortIndex, span<Frame>, pcps)
//                                               writes due edits (tag.h); returns how many frames
//                                               are ready before one that lacks a buffer for a copy
//   bool send(PortIndex, span<const uint8_t>)   sends a frame that was made here; false: refused
//   void release(Released&)                     executes the requests in it, and clears it
//   void free(const Frame&)
// `Ports` also has the members that poll_retry.h lists. Optional, if faster for one port:
//   bool is_writable(PortIndex)                 whether `writable` has the port
// Optional, if links have flow control other than PFC, such as credits:
//   PrioritySet blocked(PortIndex)              returns priorities that must not be sent now
// Optional, if several ports may send by one device:
//   PortSet share_devices()                     returns these ports: all their pauses precede data,
//                                               and each port in turn is the first to send
// Optional, if frames may be left after a burst that is not full:
//   bool holds_back(const ReceiveQueue&)        whether the last `receive` left frames behind
// Optional, if a device may refuse a frame for ever:
//   bool gives_up(PortIndex)                    whether the first frame that the last `transmit`
//                                               left is such a frame, which is then dropped
// Optional, if a device collects frames and sends them together:
//   flush(PortSet, blocked)                     sends them, for the worker's ports, at the end of a
//                                               poll; no priorities of a tunnel in blocked(tunnel)
// Optional, if ports may have a receive and a transmit queue for each priority
// (pfc/queue_backpressure.h):
//   size_t receive(const ReceiveQueue&, span<Frame>, PrioritySet stopped)
//                                               as `receive`, but not from the queues of `stopped`.
//                                               `transmit` to such a port ends at the first frame
//                                               whose queue is full. That priority waits for the
//                                               next poll; the others continue
//
// An idle port is polled every fourth time while other ports are busy.
// A poll sends as much as it receives: a frame whose output is open, and whose device accepts all
// frames, is sent in the poll that received it, or in the next poll of the worker that has the
// output. So a backlog grows only if an output, or its worker, is slower than the load.
// Bound: a poll receives one burst from a port, or from a lane of one. It then makes eight turns of
// `slots` matchings and two bursts to a port; fewer when no frame moves, and one more for each
// priority whose own queue is full. It makes further turns only while more frames wait in the
// worker's VOQs than before the poll, and only to ports whose device has refused no frame in this
// poll: each of these ports sends at least one frame. It also makes such turns between two bursts,
// if the bursts before them filled a quarter of the pool. No turn waits, locks or allocates. `now`
// is the same in the whole poll, so a frame's time is exact to one poll. egress/egress.h describes
// the frames that may be sent before a frame of higher priority, as frames of these turns may be.
// Not here: clock, threads, sleep, new settings, the stop (pmd_glue/worker.h).
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
    uint16_t lane;  // number of the lane within its port
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
        std::size_t sent = 0;     // includes frames that were made here
        std::size_t flushed = 0;  // frames that housekeeping dropped

        [[nodiscard]] bool busy() const { return received + sent > 0; }
    };

    // `burst`: frames of a burst, 1 to max_burst. With several workers at most as many are received
    // as one worker may hand over to an output. All arguments must outlive this object.
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
    // Ends reception, except of acknowledgements on links with retry.
    void stop_receiving() { receives_ = false; }

    // Runs one poll. `slots`: matchings a turn, 1 or more.
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
    static constexpr int turns = 8;                    // turns, unless more frames wait than before
    static constexpr int bursts_a_turn = 2;            // bursts sent to one port
    static constexpr uint8_t polls_until_silent = 64;  // polls without a frame until a port is idle
    static constexpr unsigned polls_a_silent_port = 4;

    // Makes turns of matching and sending: each frame that leaves makes room for one that waits.
    // After the first `turns` it continues until at most `waiting` frames wait.
    void let_out(Nanos now, int slots, std::size_t waiting, Done& done) {
        bool is_to_move = true;  // whether the last turn moved frames
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
            // A further turn may send: sharing priorities may have waited for the fabric.
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
            // The ports may receive more frames for one output than the buffer holds.
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
    // Whether a lane must wait for its port's worker.
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

    // Checks whether a paused peer obeys. `short_burst`: the burst was not full, so only frames
    // that the device holds back are left.
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
    // Sends the pause frames of all ports ahead of any data: ports may share a device, which the
    // data of one port may fill.
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
        if (total > 0) silence_[output] = 0;  // the peer may respond with a pause
        return total;
    }
    // Drops the first frame of a burst. Either the device never accepts it, or its tag cannot be
    // written for want of a buffer for a copy. Waiting for a buffer could last for ever: the frames
    // after it may hold all buffers.
    void give_up_first(PortIndex output, std::span<const Frame> frames, Drop why, Nanos now) {
        shard_.discard_first(output, frames, why, now);
        ports_.free(frames.front());
    }
    // Sends the pause frame that is due, ahead of any data. If the device refuses the frame, the
    // next turn writes a new one, with the state at that time.
    std::size_t send_pause(PortIndex output, Nanos now) {
        if (!shard_.may_pause(output) || !is_writable(output)) return 0;
        std::array<uint8_t, pause_frame_octets> octets;
        if (!shard_.pause_frame(output, octets, now) || !send_generated(output, octets, now))
            return 0;
        shard_.pause_frame_sent(output, now);
        return 1;
    }
    // Resends frames that links with retry lost, ahead of new data, but never ahead of a pause
    // frame.
    [[gnu::noinline]] std::size_t send_again(Nanos now) {
        std::size_t sent = 0;
        for_each_port(retry_.ports() & ports_.writable(), [&](PortIndex port) {
            sent += send_pause(port, now);
            if (!shard_.pause_is_due(port, now)) sent += retry_.send_again(port, now);
        });
        return sent;
    }
    // Sends the credit update that is due, ahead of any data, but never ahead of a pause frame that
    // the device refused, since credit may let the peer continue.
    [[gnu::noinline]] std::size_t send_credit(PortIndex output, Nanos now) {
        if (!is_writable(output) || shard_.pause_is_due(output, now)) return 0;
        std::array<uint8_t, longest_credit_update> octets;
        const std::size_t length = shard_.credit_update(output, octets, now);
        if (length == 0 || !send_generated(output, std::span(octets).first(length), now)) return 0;
        shard_.credit_update_sent(output, length, now);
        return 1;
    }
    // Sends frames of control, such as LLDP, until a port has no such frame left or its device
    // refuses one. A refused frame stays in its mailbox until the next poll.
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
    const std::size_t burst_;                     // frames sent at once
    const std::size_t received_at_once_;          // frames received at once from one port
    std::array<ReceiveQueue, max_ports> queues_;  // indexed by input
    bool receives_ = true;
    bool was_busy_ = false;                     // whether the last poll moved frames
    unsigned turn_ = 0;                         // selects the idle ports that are polled
    PortSet refused_ = 0;                       // ports whose device refused a frame in this poll
    PortIndex first_to_send_ = 0;               // rotates, for ports that share devices
    std::array<uint8_t, max_ports> silence_{};  // polls without a frame, up to polls_until_silent
    std::array<Frame, max_burst> frames_;
    Released released_;
};

}  // namespace sluice
