#include "dataplane/capture/capture_points.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "dataplane/types/tag.h"

namespace sluice {
namespace {

uint32_t in_32_bits(Bytes bytes) {
    constexpr int64_t most = std::numeric_limits<uint32_t>::max();
    return static_cast<uint32_t>(std::clamp(bytes.count(), int64_t{0}, most));
}

// Returns the record of a frame that was not dropped.
CaptureRecord record_of(CapturedAs as, PortIndex port, std::size_t length, Nanos now) {
    return {.time = now,
            .depth = 0,
            .length = static_cast<uint16_t>(length),
            .copied = 0,
            .as = as,
            .reason = Drop::none,
            .port = port,
            .priority = CaptureRecord::unknown,
            .input = CaptureRecord::unknown,
            .output = CaptureRecord::unknown};
}

}  // namespace

bool CapturePoints::attach(CaptureRing& ring) {
    for (std::atomic<CaptureRing*>& place : attached_) {
        if (place.load(std::memory_order_relaxed) != nullptr) continue;
        place.store(&ring, std::memory_order_release);
        changes_.store(last_change() + 1, std::memory_order_release);
        return true;
    }
    return false;
}

uint32_t CapturePoints::detach(const CaptureRing& ring) {
    for (std::atomic<CaptureRing*>& place : attached_) {
        if (place.load(std::memory_order_relaxed) == &ring) {
            place.store(nullptr, std::memory_order_relaxed);
        }
    }
    changes_.store(last_change() + 1, std::memory_order_release);
    return last_change();
}

[[gnu::noinline]] void CapturePoints::take_over() {
    const uint32_t changes = changes_.load(std::memory_order_acquire);
    count_ = 0;
    for (const std::atomic<CaptureRing*>& place : attached_) {
        CaptureRing* const ring = place.load(std::memory_order_acquire);
        assert(count_ < active_.size());
        if (ring != nullptr) active_[count_++] = ring;
    }
    adopted_.store(changes, std::memory_order_release);
}

void CapturePoints::keep(const CaptureRecord& record, const uint8_t* octets) {
    for (CaptureRing* const ring : active()) ring->keep(record, octets);
}

void CapturePoints::keep_at_voq(CaptureRecord record, Priority priority, const Voq& voq,
                                const uint8_t* octets) {
    record.priority = priority;
    record.input = voq.input;
    record.output = voq.output;
    record.depth = in_32_bits(voq.depth);
    keep(record, octets);
}

[[gnu::noinline]] void CapturePoints::received(PortIndex port, std::span<const Frame> burst,
                                               std::span<const Drop> of_headers, Nanos now) {
    for (std::size_t n = 0; n < burst.size(); ++n) {
        CaptureRecord record = record_of(CapturedAs::received, port, burst[n].length, now);
        record.input = port;
        if (of_headers[n] == Drop::none) record.priority = burst[n].priority;
        keep(record, burst[n].data);
    }
}

[[gnu::noinline]] void CapturePoints::about_to_send(PortIndex port, std::span<const Frame> burst,
                                                    Nanos now) {
    for (const Frame& frame : burst) {
        CaptureRecord record = record_of(CapturedAs::sent, port, frame.length, now);
        record.priority = frame.priority;
        record.input = frame.input;
        record.output = port;
        for (CaptureRing* const ring : active()) ring->stage(record, frame.data);
    }
}

[[gnu::noinline]] void CapturePoints::sent(std::size_t sent) {
    for (CaptureRing* const ring : active()) ring->sent(sent);
}

[[gnu::noinline]] void CapturePoints::generated(PortIndex port, std::span<const uint8_t> octets,
                                                Nanos now) {
    CaptureRecord record = record_of(CapturedAs::generated, port, octets.size(), now);
    record.output = port;
    keep(record, octets.data());
}

[[gnu::noinline]] void CapturePoints::dropped_ingress(PortIndex port, const Frame& frame,
                                                      Priority priority, Drop why, const Voq& voq,
                                                      Nanos now) {
    const bool is_described = priority != CaptureRecord::unknown;
    const std::span<const uint8_t> octets =
        is_described ? octets_as_they_are(frame)
                     : std::span<const uint8_t>(frame.data, frame.length);
    CaptureRecord record = record_of(CapturedAs::dropped_ingress, port, octets.size(), now);
    record.reason = why;
    keep_at_voq(record, priority, voq, octets.data());
}

[[gnu::noinline]] void CapturePoints::trimmed(PortIndex port, const Frame& frame, const Voq& voq,
                                              Nanos now) {
    const std::span<const uint8_t> octets = octets_as_they_are(frame);
    CaptureRecord record = record_of(CapturedAs::trimmed, port, octets.size(), now);
    record.reason = Drop::over_threshold;
    keep_at_voq(record, frame.priority, voq, octets.data());
}

[[gnu::noinline]] void CapturePoints::dropped_egress(PortIndex port, const Frame& frame, Drop why,
                                                     Bytes depth, Nanos now) {
    const std::span<const uint8_t> octets = octets_as_they_are(frame);
    CaptureRecord record = record_of(CapturedAs::dropped_egress, port, octets.size(), now);
    record.reason = why;
    record.priority = frame.priority;
    record.input = frame.input;
    record.output = port;
    record.depth = in_32_bits(depth);
    keep(record, octets.data());
}

}  // namespace sluice
