// Receiver: the receiving side of one station: counts and measures received probes, and reads pause
// frames.
//
// A station may be slow: its host then removes frames from a bounded backlog at a rate. When the
// backlog is full, frames stay on the device, which may stop its peer. A station that may pause
// sends XOFF for its configured priorities before the backlog is full, and XON when its host has
// caught up. The time of arrival is that of reception from the device, so latency does not include
// a slow host.
// Bound: a poll receives more than a sender's burst, so that stations which all send keep up with
// each other. Memory is allocated at the start, plus a FlowHistogram at a flow's first frame.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/pause_sender.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"
#include "tools/common/histogram.h"
#include "tools/gen/flow_meter.h"
#include "tools/gen/link.h"
#include "tools/gen/pacer.h"
#include "tools/gen/probe.h"

namespace sluice::gen {

struct ReceiverSettings {
    PortIndex ports = 2;
    uint16_t run = 0;
    std::size_t streams = 0;              // number of streams; 0: flows are pairs of stations
    Rate host;                            // rate at which frames are removed from the backlog
    PrioritySet pauses = 0;               // priorities for which the receiver sends PFC
    Nanos pauses_from;                    // time from which on the receiver sends PFC
    BitsPerSecond speed{10'000'000'000};  // speed of the link, which defines a quantum
};

class Receiver {
  public:
    static constexpr std::size_t most_at_once = max_burst;
    static_assert(most_at_once > burst_frames);
    static constexpr std::size_t backlog_frames = 1024;
    static constexpr std::size_t xoff_frames = 512;
    static constexpr std::size_t xon_frames = 128;

    Receiver(const ReceiverSettings& settings, PortIndex self, Link& link, Nanos start);
    ~Receiver();
    Receiver(const Receiver&) = delete;
    Receiver& operator=(const Receiver&) = delete;

    // Receives frames; calls `on_pause(PauseFrame)` for each PFC frame. Returns how many frames
    // were received.
    template <class OnPause>
    std::size_t poll(Nanos now, OnPause on_pause) {
        serve_host(now);
        std::array<Frame, most_at_once> frames;
        const auto arrived = std::span(frames).first(
            link_.receive(std::span(frames).first(std::min(frames.size(), room()))));
        if (!arrived.empty()) {
            meter(arrived, now, on_pause);
            keep(arrived);
        }
        pause_if_congested(now);
        return arrived.size();
    }
    // Removes the host's limit, and ends pauses.
    void drain();

    [[nodiscard]] const FlowMeter& flow(PortIndex sender, Priority priority) const {
        return flows_[sender * max_priorities + priority];
    }
    [[nodiscard]] const FlowMeter& stream(std::size_t number) const { return flows_[number]; }
    [[nodiscard]] const Histogram& latency() const { return latency_; }  // nanoseconds
    // Returns when a frame last arrived without its predecessor, if ever.
    [[nodiscard]] std::optional<Nanos> last_gap() const { return last_gap_; }
    [[nodiscard]] Quantiles latency(PortIndex sender, Priority priority) const {
        return latency_of(sender * max_priorities + priority);
    }
    [[nodiscard]] Quantiles stream_latency(std::size_t number) const { return latency_of(number); }
    // Any thread may call these.
    [[nodiscard]] uint64_t frames() const { return frames_.value(); }  // all received frames
    [[nodiscard]] uint64_t probes() const { return probes_.value(); }  // this run's, for this port
    [[nodiscard]] uint64_t strays() const { return strays_.value(); }  // other probes
    [[nodiscard]] uint64_t octets() const { return octets_.value(); }  // octets of probes, with FCS
    [[nodiscard]] uint64_t pauses_received(Priority priority) const {  // XOFFs
        return xoffs_received_[priority].value();
    }
    [[nodiscard]] uint64_t pause_frames_received() const { return pause_frames_received_.value(); }
    [[nodiscard]] uint64_t pause_frames_sent() const { return pause_frames_sent_.value(); }

  private:
    // Frames of one flow and age with consecutive numbers: mostly frames that were sent and
    // received in the same bursts.
    struct Alike {
        std::size_t flow = 0;
        uint64_t sequence = 0;  // number of the first frame
        uint64_t age = 0;
        uint64_t frames = 0;
    };

    [[nodiscard]] Quantiles latency_of(std::size_t flow) const {
        return flow_latency_[flow] ? flow_latency_[flow]->quantiles() : Quantiles{};
    }
    // Returns the index in `flows_`, where a stream is a flow; removes the stream number from the
    // frame number.
    [[nodiscard]] std::size_t flow_of(Probe& probe) const {
        if (settings_.streams == 0) {
            return probe.flow.sender * max_priorities + probe.flow.priority;
        }
        const uint64_t stream = probe.sequence >> stream_shift;
        probe.sequence -= first_of_stream(stream);
        return stream;
    }
    [[nodiscard]] bool slow() const { return host_.unit != Rate::Unit::unlimited; }
    [[nodiscard]] std::size_t room() const { return backlog_frames - (tail_ - head_); }
    void serve_host(Nanos now);
    template <class OnPause>
    void meter(std::span<const Frame> arrived, Nanos now, OnPause& on_pause);
    [[nodiscard]] bool is_mine(const Probe& probe) const {
        const Flow& flow = probe.flow;
        const bool to_me = flow.is_broadcast() ? flow.sender != self_ : flow.receiver == self_;
        const bool known =
            settings_.streams == 0 || probe.sequence >> stream_shift < settings_.streams;
        return probe.run == settings_.run && to_me && flow.sender < settings_.ports && known;
    }
    void record(const Alike& alike, Nanos now);
    // Reads a pause frame; returns false if the frame is not one.
    bool read(std::span<const uint8_t> octets, PauseFrame& pause);
    void keep(std::span<const Frame> arrived);
    void pause_if_congested(Nanos now);

    ReceiverSettings settings_;
    PortIndex self_;
    Link& link_;
    Rate host_;
    Pacer pacer_;
    PauseSender pause_sender_;
    std::vector<FlowMeter> flows_;  // [sender][priority], or [stream]
    // Indexed as flows_; null before the first frame.
    std::vector<std::unique_ptr<FlowHistogram>> flow_latency_;
    Histogram latency_;
    std::optional<Nanos> last_gap_;
    std::vector<Frame> backlog_;
    std::size_t head_ = 0;
    std::size_t tail_ = 0;
    Counter frames_;
    Counter probes_;
    Counter strays_;
    Counter octets_;
    std::array<Counter, max_priorities> xoffs_received_;
    Counter pause_frames_received_;
    Counter pause_frames_sent_;
};

template <class OnPause>
void Receiver::meter(std::span<const Frame> arrived, Nanos now, OnPause& on_pause) {
    Alike alike;
    uint64_t probes = 0;
    uint64_t octets = 0;
    for (const Frame& frame : arrived) {
        auto probe = read_probe({frame.data, frame.length});
        if (!probe) [[unlikely]] {
            PauseFrame pause;
            if (read({frame.data, frame.length}, pause)) on_pause(pause);
            continue;
        }
        if (!is_mine(*probe)) [[unlikely]] {
            strays_.add(1);
            continue;
        }
        const std::size_t flow = flow_of(*probe);
        const auto age = static_cast<uint64_t>(probe->age(now).count());
        if (flow != alike.flow || probe->sequence != alike.sequence + alike.frames ||
            age != alike.age) {
            record(alike, now);
            alike = {flow, probe->sequence, age, 0};
        }
        ++alike.frames;
        ++probes;
        octets += frame.length + fcs_octets;
    }
    record(alike, now);
    frames_.add(arrived.size());
    probes_.add(probes);
    octets_.add(octets);
}

}  // namespace sluice::gen
