// RetryPoll: what a poll does for ports with link-level retry (retry/port_retry.h), between its
// shard and the wires: it takes the frames of retry out of what a port received, puts a number
// before those that go by retry, and sends what retry has to say.
//
// In the order of a poll (poll.h): `start`; `unwrap` what each port received, before its shard sees
// it; `send_due`, ahead of all data; `held`, `transmit` and `send` for what leaves. Frames of other
// priorities pass as they are, at the same time.
// Bound: off, a load and a branch a poll, and a branch a burst. On, a copy and a call of the device
// for each frame that has a number, and a burst of those that go again. Not done here: sessions,
// numbers, octets; captures see frames without what goes before them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/credits/credit_update.h"
#include "dataplane/frame.h"
#include "dataplane/limits.h"
#include "dataplane/retry/retries.h"
#include "dataplane/shard.h"
#include "dataplane/switch.h"

namespace sluice {

template <class Ports>
class RetryPoll {
  public:
    RetryPoll(const Switch& dataplane, Shard& shard, Ports& ports)
        : dataplane_(dataplane), retries_(dataplane.retries()), shard_(shard), wires_(ports) {}

    // Once a poll, before anything else.
    void start(Nanos now) {
        if constexpr (can_unwrap) ports_ = retries_.ports() & shard_.ports();
        if (ports_ != 0) [[unlikely]]
            follow(now);
    }
    [[nodiscard]] bool is_at(PortIndex port) const { return (ports_ & only(port)) != 0; }
    [[nodiscard]] PortSet ports() const { return ports_; }
    [[nodiscard]] bool at_rest() const {
        bool rests = true;
        for_each_port(ports_, [&](PortIndex port) { rests &= retries_.end(port).at_rest(); });
        return rests;
    }

    // Of a burst that such a port received: how many frames, from the first on, are the switch's.
    [[gnu::noinline]] std::size_t unwrap(PortIndex port, std::span<Frame> burst, Nanos now) {
        PortRetry& end = retries_.end(port);
        std::size_t left = 0;
        for (Frame& frame : burst) {
            uint16_t length = 0;
            switch (end.hear({frame.data, frame.length}, length, now)) {
                case PortRetry::Heard::done:
                    wires_.free(frame);
                    continue;
                case PortRetry::Heard::frame:
                    if constexpr (can_unwrap) wires_.keep_part(frame, retry_shim_octets, length);
                    break;
                default:
                    break;
            }
            burst[left++] = frame;
        }
        return left;
    }

    // Sends what is due at all of them; how many frames.
    [[gnu::noinline]] std::size_t send_due(Nanos now) {
        std::size_t sent = 0;
        for_each_port(ports_ & wires_.writable(), [&](PortIndex port) {
            PortRetry& end = retries_.end(port);
            sent += send_signals(port, end, now);
            sent += send_again(port, end, now);
        });
        return sent;
    }

    // Has the frames that may not go now wait in their egress queues.
    [[gnu::noinline]] void hold(PortIndex port) {
        const Bytes longest = shard_.ingress(port).settings().max_frame;
        shard_.block(port, retries_.end(port).held(longest));
    }
    // As `transmit` of the ports.
    [[gnu::noinline]] std::size_t transmit(PortIndex port, std::span<const Frame> burst,
                                           Nanos now) {
        PortRetry& end = retries_.end(port);
        is_refused_by_device_ = false;
        std::size_t sent = 0;
        while (sent < burst.size()) {
            const auto behind = std::ranges::find_if(burst.subspan(sent), [&](const Frame& frame) {
                return end.numbers(frame.priority);
            });
            const auto run = static_cast<std::size_t>(behind - burst.begin()) - sent;
            if (run > 0) {
                const std::size_t taken = wires_.transmit(port, burst.subspan(sent, run));
                note_unnumbered(port, burst.subspan(sent, taken));
                sent += taken;
                is_refused_by_device_ = taken < run;
                if (taken < run) break;
                continue;
            }
            const Frame& frame = burst[sent];
            const PrioritySet priority = only_priority(frame.priority);
            if (!send_numbered(port, {frame.data, frame.length}, priority, now)) break;
            wires_.free(frame);
            ++sent;
        }
        return sent;
    }
    // Whether the last `transmit` ended at a frame that went as it is.
    [[nodiscard]] bool is_refused_by_device() const { return is_refused_by_device_; }
    // As `send` of the ports: of what the switch made itself, credit keeps its place among the
    // frames that it counts, and the rest passes beside them.
    [[gnu::noinline]] bool send(PortIndex port, std::span<const uint8_t> octets, Nanos now) {
        if (!retries_.end(port).is_open() || !read_credit_update(octets)) {
            return wires_.send(port, octets);
        }
        return send_numbered(port, octets, 0, now);
    }
    // Once a poll, at its end.
    void end() {
        if (ports_ != 0) [[unlikely]]
            show();
    }

  private:
    static constexpr bool can_unwrap = requires(Ports ports, Frame frame) {
        ports.keep_part(frame, std::size_t{}, std::size_t{});
    };

    [[gnu::noinline]] void follow(Nanos now) {
        for_each_port(ports_, [&](PortIndex port) {
            const PortSettings& settings = shard_.ingress(port).settings();
            retries_.end(port).follow({.is_up = dataplane_.link(port),
                                       .peer = retries_.peer(port),
                                       .priorities = static_cast<PrioritySet>(
                                           settings.pfc.lossless | retries_.offered(port)),
                                       .paused = shard_.paused(port, now),
                                       .discarded = shard_.egress(port).discarding(),
                                       .source = settings.address},
                                      now);
        });
    }
    [[gnu::noinline]] void show() {
        const bool clears = clearings_ != shard_.watermark_clearings();
        clearings_ = shard_.watermark_clearings();
        for_each_port(ports_, [&](PortIndex port) {
            if (clears) retries_.end(port).clear_watermark();
            retries_.end(port).show();
        });
    }
    static constexpr int most_signals = 3;  // an answer, and two questions

    std::size_t send_signals(PortIndex port, PortRetry& end, Nanos now) {
        std::size_t sent = 0;
        for (; sent < most_signals; ++sent) {
            const auto octets = end.signal(now);
            if (octets.empty() || !wires_.send(port, octets)) break;
            end.signal_sent();
        }
        return sent;
    }
    std::size_t send_again(PortIndex port, PortRetry& end, Nanos now) {
        const PrioritySet paused = shard_.paused(port, now);
        std::size_t sent = 0;
        for (; sent < max_burst; ++sent) {
            const auto octets = end.replay(paused);
            if (octets.empty() || !wires_.send(port, octets)) break;
            end.replayed(now);
        }
        return sent;
    }
    bool send_numbered(PortIndex port, std::span<const uint8_t> octets, PrioritySet priority,
                       Nanos now) {
        PortRetry& end = retries_.end(port);
        const auto wrapped = end.number(octets);
        if (wrapped.empty() || !wires_.send(port, wrapped)) return false;
        end.numbered(wrapped.size(), priority, now);
        return true;
    }
    void note_unnumbered(PortIndex port, std::span<const Frame> frames) {
        PortRetry& end = retries_.end(port);
        for (const Frame& frame : frames) {
            if (end.is_of_its_priorities(frame.priority)) end.went_without();
        }
    }

    const Switch& dataplane_;
    Retries& retries_;
    Shard& shard_;
    Ports& wires_;
    PortSet ports_ = 0;
    bool is_refused_by_device_ = false;
    uint32_t clearings_ = 0;
};

}  // namespace sluice
