// RetryPoll: what a poll does for ports with link-level retry (retry/port_retry.h), between its
// shard and the wires: it takes the frames of retry out of what a port received, puts a number
// before those that go by retry, and sends what retry has to say.
//
// In the order of a poll (poll.h): `start`; `unwrap` what each port received, before its shard sees
// it; `let_in` what was kept behind a gap; `send_signals`; `send_again`, behind pauses and frames
// of control and ahead of new data; `hold`, `transmit` and `send` for what leaves. Frames of other
// priorities pass as they are.
// Of the ports it asks besides, and without that none has retry:
//   keep_part(Frame&, size_t from, size_t)      the frame is what its octets have there
//   bool put_in_front(Frame&, size_t)           has room for so many octets before it; in a copy
//                                               where others hold its buffer: then one of both is
//                                               to be freed. False: there is no buffer for that
//   take_from_front(const Frame&, size_t)       undoes that in a buffer that was not copied
//   bool send_in_order(PortIndex, span, Priority)
//                                               as `send`, but behind what `transmit` took, and as
//                                               a frame of that priority; `gives_up` says why not,
//                                               as of a `transmit`
// Bound: off, a load and a branch a poll, and a branch a burst. On, a copy of each frame that has a
// number, and of those that go again a burst a poll. Not done here: sessions, numbers, octets;
// captures see frames without what goes before them.
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

    // Once a poll, before anything else.
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
    // Whether nothing is to be sent again, or to be answered, before a frame comes.
    [[nodiscard]] bool at_rest() const {
        bool rests = true;
        for_each_port(ports_, [&](PortIndex port) { rests &= ends_[port]->at_rest(); });
        return rests;
    }

    // Of a burst that such a port received: how many frames, from the first on, are the switch's.
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
    // Frames that were kept behind a gap enter the switch, one by one, and none of a priority that
    // is to be paused. Calls `done` behind each.
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

    // Whose frames are to be heard where the switch takes nothing more in: those with retry, and
    // what shares a device with them, as that is read for all of them.
    [[nodiscard]] PortSet heard() const {
        PortSet heard = ports_;
        if constexpr (requires { wires_.share_devices(); }) {
            if (ports_ != 0) heard |= wires_.share_devices() & shard_.ports();
        }
        return heard;
    }
    // In place of `unwrap` then. Nothing of the burst is left.
    void hear_answers(PortIndex port, std::span<const Frame> burst, Nanos now) {
        for (const Frame& frame : burst) {
            if (is_at(port)) ends_[port]->hear_answer({frame.data, frame.length}, now);
            wires_.free(frame);
        }
    }
    // Whether nothing is kept that the peers may still acknowledge, or that they were told is here.
    [[nodiscard]] bool is_acknowledged() const {
        bool is = true;
        for_each_port(ports_, [&](PortIndex port) {
            const PortRetry& end = *ends_[port];
            is &= end.sender().kept() == 0 && !end.has_waiting();
        });
        return is;
    }
    // After the last poll: what was not acknowledged is given up.
    void stop() const {
        for_each_port(ports_, [&](PortIndex port) {
            ends_[port]->stop();
            free_unwanted(*ends_[port]);
        });
    }

    // Sends what both ends of all of them have to say; how many frames.
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
    // A burst of what is to go again at one of them; how many frames.
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

    // Has the frames that may not go now wait in their egress queues.
    [[gnu::noinline]] void hold(PortIndex port) {
        const Bytes longest = shard_.ingress(port).settings().max_frame;
        shard_.block(port, ends_[port]->held(longest));
    }
    // As `transmit` of the ports.
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
    // Why the frame at which the last `transmit` of a port ended is to be dropped: its device never
    // takes it; or others hold its buffer, and there is none for a copy. Mostly there is no reason.
    [[nodiscard]] Drop refusal(PortIndex port, bool has_retry) const {
        if (has_retry && end_ == End::buffer) return Drop::no_buffer;
        const bool is_refused = !has_retry || end_ == End::device;
        return is_refused && gives_up(port) ? Drop::too_long_for_interface : Drop::none;
    }
    // As `send` of the ports: of what the switch made itself, credit keeps its place among the
    // frames that it counts, and the rest passes beside them.
    [[gnu::noinline]] bool send(PortIndex port, std::span<const uint8_t> octets, Nanos now) {
        PortRetry& end = *ends_[port];
        if (!end.is_open() || !read_credit_update(octets)) return wires_.send(port, octets);
        if (end.number(octets, 0).empty()) return false;
        const bool is_sent = send_in_order(port, end.newest(), priority_in(0));
        end.numbered(is_sent ? 1 : 0, now);
        return is_sent;
    }
    // Once a poll, at its end.
    void end() {
        if (ports_ != 0) [[unlikely]]
            show();
    }

  private:
    // Why `transmit` took no more.
    enum class End : uint8_t { all, device, number, buffer };
    // Else no port has retry.
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
    // Ends that control made. Until the next generation these are in use, whatever it makes
    // meanwhile: it frees those of before once they are noted as seen.
    [[gnu::noinline]] void take_over(uint32_t generation) {
        const PortSet before = std::exchange(ports_, retries_.ports() & shard_.ports());
        for_each_port(before | ports_, [&](PortIndex port) {
            PortRetry* const now = is_at(port) ? &retries_.end(port) : nullptr;
            PortRetry* const replaced = std::exchange(ends_[port], now);
            if (replaced == nullptr || replaced == now) return;
            replaced->abandon();
            free_unwanted(*replaced);
            if (now != nullptr) return;
            // What it held is nobody's to hold any more.
            shard_.block(port, 0);
            shard_.note_retry(port, 0, 0);
        });
        seen_ = generation;
        retries_.note_seen(generation, shard_.ports());
    }
    // A frame without a number, as the session is over, goes behind waiting ones of its priority.
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
    static constexpr int most_signals = 3;  // an answer, and two questions

    // What the switch made itself has none, and goes as pauses and LLDP do.
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
    // By one call of the device: each behind its number, in its own buffer where nobody else holds
    // that, so that a pool that has no buffer left holds nothing up.
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
    // Of a frame that was copied one of both goes: the one that nobody sends.
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
    uint32_t seen_ = 0;                         // of what control changed
    std::array<PortRetry*, max_ports> ends_{};  // of `ports_`
};

}  // namespace sluice
