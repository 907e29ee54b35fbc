// RetryPoll: the part of a poll that serves ports with link-level retry (retry/port_retry.h),
// between the shard and the ports. It removes retry headers and retry frames from received bursts,
// adds retry headers to frames that are sent with a number, and sends answers and requests.
//
// A poll (poll.h) calls, in this order: `start`; `unwrap` for each received burst, before the shard
// processes it; `let_in` for frames that waited for a gap; `send_signals`; `send_again`, after
// pause and control frames and before new data; `hold`, `transmit` and `send` for new frames.
// Frames of other priorities pass unchanged.
// Retry requires these further members of the ports; without them no port has retry:
//   keep_part(Frame&, size_t from, size_t length)
//                                          reduces the frame to that part of its octets
//   bool put_in_front(Frame&, size_t n)    adds room for `n` octets before the frame. If others
//                                          hold its buffer, the frame becomes a copy, and the
//                                          caller frees the copy or the original. Returns false
//                                          if no buffer is free
//   take_from_front(const Frame&, size_t)  removes the room, if no copy was made
//   bool send_in_order(PortIndex, span, Priority)
//                                          as `send`, but after the frames of `transmit`, and as a
//                                          frame of that priority; on false, `gives_up` has the
//                                          cause, as after a `transmit`
// Bound: without retry, a load and a branch a poll, and a branch a burst. With it, a copy of each
// numbered frame, and a burst of resent frames a poll. Not here: sessions, numbers, formats.
// Captures show frames without their retry headers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "dataplane/credits/credit_update.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/retry/retries.h"
#include "dataplane/shard.h"
#include "dataplane/switch.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"

namespace sluice {

template <class Ports>
class RetryPoll {
  public:
    RetryPoll(const Switch& dataplane, Shard& shard, Ports& ports)
        : dataplane_(dataplane), retries_(dataplane.retries()), shard_(shard), wires_(ports) {}

    // Adopts changes by control and the state of the links. Called at the start of each poll.
    void start(Nanos now) {
        if constexpr (can_unwrap) {
            const uint32_t generation = retries_.generation();
            if (generation != seen_) [[unlikely]]
                take_over(generation);
        }
        if (ports_ != 0) [[unlikely]]
            follow(now);
    }
    [[nodiscard]] bool is_at(PortIndex port) const { return (ports_ & only(port)) != 0; }
    [[nodiscard]] PortSet ports() const { return ports_; }
    // Whether no frame, answer or request waits at these ports.
    [[nodiscard]] bool at_rest() const {
        bool rests = true;
        for_each_port(ports_, [&](PortIndex port) { rests &= ends_[port]->at_rest(); });
        return rests;
    }

    // Removes retry headers and retry frames from a burst that a port with retry received. Returns
    // how many frames, from the first on, are left for the switch.
    [[gnu::noinline]] std::size_t unwrap(PortIndex port, std::span<Frame> burst, Nanos now) {
        PortRetry& end = *ends_[port];
        std::size_t left = 0;
        for (Frame& frame : burst) {
            uint16_t length = 0;
            switch (end.hear({frame.data, frame.length}, length, now)) {
                case PortRetry::Heard::done:
                    wires_.free(frame);
                    continue;
                case PortRetry::Heard::keep:
                    if constexpr (can_unwrap) wires_.keep_part(frame, retry_shim_octets, length);
                    end.keep(frame, now);
                    continue;
                case PortRetry::Heard::frame:
                    if constexpr (can_unwrap) wires_.keep_part(frame, retry_shim_octets, length);
                    break;
                default:
                    if (end.has_waiting() && waits_behind(port, end, frame)) [[unlikely]]
                        continue;
                    break;
            }
            burst[left++] = frame;
        }
        free_unwanted(end);
        return left;
    }
    // Lets frames whose gap is filled enter the switch one by one, unless their priority is paused
    // or is about to be. Calls `done` after each.
    void let_in(Nanos now, Released& released, const auto& done) {
        for_each_port(ports_, [&](PortIndex port) {
            PortRetry& end = *ends_[port];
            if (!end.has_waiting()) [[likely]]
                return;
            for (std::size_t n = 0; n < 2 * max_burst; ++n) {
                const PauseSender& pauses = shard_.ingress(port).pause_sender();
                auto frame = end.enter(pauses.pausing() | pauses.announced());
                if (!frame) break;
                shard_.receive(port, std::span(&*frame, 1), now, released);
                done();
            }
        });
    }

    // Returns the ports that are still read while the switch shuts down: those with retry, and
    // those that share a device, which is read for all of its ports.
    [[nodiscard]] PortSet heard() const {
        PortSet heard = ports_;
        if constexpr (requires { wires_.share_devices(); }) {
            if (ports_ != 0) heard |= wires_.share_devices() & shard_.ports();
        }
        return heard;
    }
    // Replaces `unwrap` during shutdown: processes answers, and frees all frames of the burst.
    void hear_answers(PortIndex port, std::span<const Frame> burst, Nanos now) {
        for (const Frame& frame : burst) {
            if (is_at(port)) ends_[port]->hear_answer({frame.data, frame.length}, now);
            wires_.free(frame);
        }
    }
    // Whether no sent frame is unacknowledged, and no acknowledged frame waits to enter the switch.
    [[nodiscard]] bool is_acknowledged() const {
        bool is = true;
        for_each_port(ports_, [&](PortIndex port) {
            const PortRetry& end = *ends_[port];
            is &= end.sender().kept() == 0 && !end.has_waiting();
        });
        return is;
    }
    // Ends all sessions after the last poll, and gives up unacknowledged frames.
    void stop() const {
        for_each_port(ports_, [&](PortIndex port) {
            ends_[port]->stop();
            free_unwanted(*ends_[port]);
        });
    }

    // Sends the answers and requests of all ports. Returns the number of frames sent.
    [[gnu::noinline]] std::size_t send_signals(Nanos now) {
        std::size_t sent = 0;
        for_each_port(ports_ & wires_.writable(), [&](PortIndex port) {
            PortRetry& end = *ends_[port];
            for (int n = 0; n < most_signals; ++n) {
                const auto octets = end.signal(now);
                if (octets.empty() || !wires_.send(port, octets)) break;
                end.signal_sent();
                ++sent;
            }
        });
        return sent;
    }
    // Resends up to a burst of frames at a port. Returns the number of frames sent.
    std::size_t send_again(PortIndex port, Nanos now) {
        PortRetry& end = *ends_[port];
        const PrioritySet paused = shard_.paused(port, now);
        std::size_t sent = 0;
        for (; sent < max_burst; ++sent) {
            const auto [octets, own] = end.replay(paused);
            if (octets.empty()) break;
            if (!send_in_order(port, octets, priority_in(own))) {
                if (gives_up(port)) end.cannot_go(now);
                break;
            }
            end.replayed(now);
        }
        return sent;
    }

    // Blocks the egress queues of priorities whose frames must wait.
    [[gnu::noinline]] void hold(PortIndex port) {
        const Bytes longest = shard_.ingress(port).settings().max_frame;
        shard_.block(port, ends_[port]->held(longest));
    }
    // Transmits frames as the ports' `transmit` does, with retry headers on numbered frames.
    [[gnu::noinline]] std::size_t transmit(PortIndex port, std::span<const Frame> burst,
                                           Nanos now) {
        PortRetry& end = *ends_[port];
        end_ = End::all;
        std::size_t sent = 0;
        while (sent < burst.size() && end_ == End::all) {
            const auto left = burst.subspan(sent);
            const bool has_number = end.numbers(left.front().priority);
            const auto other = std::ranges::find_if(left, [&](const Frame& frame) {
                return end.numbers(frame.priority) != has_number;
            });
            const auto run = left.first(static_cast<std::size_t>(other - left.begin()));
            sent += has_number ? transmit_numbered(port, run, now) : transmit_others(port, run);
        }
        return sent;
    }
    // Returns why the frame at which the last `transmit` of a port stopped must be dropped: the
    // device can never send the frame, or the frame needs a copy and no buffer is free. Mostly
    // `Drop::none`.
    [[nodiscard]] Drop refusal(PortIndex port, bool has_retry) const {
        if (has_retry && end_ == End::buffer) return Drop::no_buffer;
        const bool is_refused = !has_retry || end_ == End::device;
        return is_refused && gives_up(port) ? Drop::too_long_for_interface : Drop::none;
    }
    // Sends a frame that the switch made, as the ports' `send`. A credit update is numbered, to
    // stay in order with the frames that it counts; other frames bypass retry.
    [[gnu::noinline]] bool send(PortIndex port, std::span<const uint8_t> octets, Nanos now) {
        PortRetry& end = *ends_[port];
        if (!end.is_open() || !read_credit_update(octets)) return wires_.send(port, octets);
        if (end.number(octets, 0).empty()) return false;
        const bool is_sent = send_in_order(port, end.newest(), priority_in(0));
        end.numbered(is_sent ? 1 : 0, now);
        return is_sent;
    }
    // Updates the watches. Called at the end of each poll.
    void end() {
        if (ports_ != 0) [[unlikely]]
            show();
    }

  private:
    // The reason why the last `transmit` stopped: the end of the burst, the device, no number, or
    // no buffer.
    enum class End : uint8_t { all, device, number, buffer };
    // Whether `Ports` has the members that retry requires; without them no port has retry.
    static constexpr bool can_unwrap =
        requires(Ports ports, Frame frame, PortIndex port, std::span<const uint8_t> octets) {
            ports.keep_part(frame, std::size_t{}, std::size_t{});
            ports.put_in_front(frame, std::size_t{});
            ports.take_from_front(frame, std::size_t{});
            ports.send_in_order(port, octets, Priority{});
        };

    [[gnu::noinline]] void follow(Nanos now) {
        for_each_port(ports_, [&](PortIndex port) {
            const PortSettings& settings = shard_.ingress(port).settings();
            if (settings.retry.is_on) ends_[port]->use(settings.retry);
            ends_[port]->follow({.is_up = dataplane_.link(port),
                                 .peer = retries_.peer(port),
                                 .priorities = static_cast<PrioritySet>(settings.pfc.lossless |
                                                                        retries_.offered(port)),
                                 .paused = shard_.paused(port, now),
                                 .discarded = shard_.egress(port).discarding(),
                                 .source = settings.address},
                                now);
            free_unwanted(*ends_[port]);
            shard_.note_retry(port, ends_[port]->to_replay(), ends_[port]->discarded());
        });
    }
    // Adopts the ends that control made. These ends are used until the next generation; control
    // frees the ends that they replace once `note_seen` has reported the generation.
    [[gnu::noinline]] void take_over(uint32_t generation) {
        const PortSet before = std::exchange(ports_, retries_.ports() & shard_.ports());
        for_each_port(before | ports_, [&](PortIndex port) {
            PortRetry* const now = is_at(port) ? &retries_.end(port) : nullptr;
            PortRetry* const replaced = std::exchange(ends_[port], now);
            if (replaced == nullptr || replaced == now) return;
            replaced->abandon();
            free_unwanted(*replaced);
            if (now != nullptr) return;
            // Retry is off: unblocks the priorities that retry blocked.
            shard_.block(port, 0);
            shard_.note_retry(port, 0, 0);
        });
        seen_ = generation;
        retries_.note_seen(generation, shard_.ports());
    }
    // Queues a frame without a number (the peer sent it after the session ended) behind the frames
    // of its priority that still wait. Returns whether it was queued.
    bool waits_behind(PortIndex port, PortRetry& end, const Frame& frame) const {
        const std::span<const uint8_t> octets(frame.data, frame.length);
        Headers headers;
        if (parse(octets, headers) != Drop::none || headers.destination.is_reserved() ||
            headers.ether_type == mac_control_ether_type) {
            return false;
        }
        return end.wait(frame, shard_.ingress(port).classify(headers, octets));
    }
    void free_unwanted(PortRetry& end) const {
        while (const auto frame = end.take_unwanted()) wires_.free(*frame);
    }
    [[gnu::noinline]] void show() {
        const bool clears = clearings_ != shard_.watermark_clearings();
        clearings_ = shard_.watermark_clearings();
        for_each_port(ports_, [&](PortIndex port) {
            if (clears) ends_[port]->clear_watermark();
            ends_[port]->show();
        });
    }
    static constexpr int most_signals = 3;  // an answer, `unknown` and `begin`

    // Returns the priority in `own`. If `own` is empty, the switch made the frame: returns the
    // priority with which pause frames and LLDP are sent.
    static Priority priority_in(PrioritySet own) {
        return own == 0 ? Priority{max_priorities - 1} : highest(own);
    }
    bool send_in_order(PortIndex port, std::span<const uint8_t> octets, Priority priority) {
        if constexpr (can_unwrap) return wires_.send_in_order(port, octets, priority);
        return false;
    }
    [[nodiscard]] bool gives_up(PortIndex port) const {
        if constexpr (requires { wires_.gives_up(port); }) return wires_.gives_up(port);
        return false;
    }
    // Transmits numbered frames by one call of the device. The retry header is written into the
    // frame's own buffer unless others hold it, so that an empty pool delays only shared frames.
    std::size_t transmit_numbered(PortIndex port, std::span<const Frame> run, Nanos now) {
        if constexpr (!can_unwrap) return 0;
        PortRetry& end = *ends_[port];
        std::array<Frame, max_burst> wrapped;
        std::size_t ready = 0;
        for (; ready < run.size(); ++ready) {
            const Frame& frame = run[ready];
            Frame& outer = wrapped[ready] = frame;
            const auto shim = end.number({frame.data, frame.length}, only_priority(frame.priority));
            if (shim.empty()) {
                end_ = End::number;
                break;
            }
            if (!put_in_front(outer, shim)) {
                end_ = End::buffer;
                break;
            }
        }
        const auto whole = std::span<const Frame>(wrapped).first(ready);
        const std::size_t sent = ready == 0 ? 0 : wires_.transmit(port, whole);
        end.numbered(sent, now);
        if (sent < ready) end_ = End::device;
        unwrap_unsent(run, whole, sent);
        return sent;
    }
    bool put_in_front(Frame& frame, std::span<const uint8_t> octets) {
        if constexpr (can_unwrap) {
            if (!wires_.put_in_front(frame, octets.size())) return false;
            std::ranges::copy(octets, frame.data);
        }
        return true;
    }
    // Restores unsent frames. Of a copied frame, frees the original if the copy was sent, else the
    // copy.
    void unwrap_unsent(std::span<const Frame> run, std::span<const Frame> wrapped,
                       std::size_t sent) {
        for (std::size_t n = 0; n < wrapped.size(); ++n) {
            if (wrapped[n].handle != run[n].handle) {
                wires_.free(n < sent ? run[n] : wrapped[n]);
            } else if constexpr (can_unwrap) {
                if (n >= sent) wires_.take_from_front(wrapped[n], retry_shim_octets);
            }
        }
    }
    std::size_t transmit_others(PortIndex port, std::span<const Frame> run) {
        const std::size_t sent = wires_.transmit(port, run);
        if (sent < run.size()) end_ = End::device;
        PortRetry& end = *ends_[port];
        for (const Frame& frame : run.first(sent)) {
            if (end.is_of_its_priorities(frame.priority)) end.went_without();
        }
        return sent;
    }

    const Switch& dataplane_;
    Retries& retries_;
    Shard& shard_;
    Ports& wires_;
    PortSet ports_ = 0;
    End end_ = End::all;
    uint32_t clearings_ = 0;
    uint32_t seen_ = 0;                         // generation in use (Retries)
    std::array<PortRetry*, max_ports> ends_{};  // ends of `ports_`
};

}  // namespace sluice
