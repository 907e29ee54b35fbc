// CapturePoints: the captures that are attached to one worker, and the points of the frame path
// that pass frames to them: reception, drop, trimming, sending.
//
// Control attaches and detaches captures; the worker adopts the change once a poll. A ring that was
// detached may be freed once the worker `has_adopted` the change, so neither thread waits.
// Bound: `most` rings. Without rings a worker tests `any` at each point, and reads one word a poll;
// with rings, O(rings) a frame (capture_ring.h).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/capture/capture_ring.h"
#include "dataplane/capture/record.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/units.h"

namespace sluice {

class CapturePoints {
  public:
    static constexpr std::size_t most = 4;

    // The VOQ that a dropped frame was in or was meant for. The output is unknown if the frame was
    // dropped before it was forwarded. `depth`: octets of the frame's priority in that VOQ.
    struct Voq {
        PortIndex input;
        PortIndex output = CaptureRecord::unknown;
        Bytes depth;
    };

    // --- called by control ----------------------------------------------------------------------
    // Returns false if `most` rings are attached already.
    bool attach(CaptureRing& ring);
    // Returns the change that `has_adopted` has to confirm before the ring is freed.
    uint32_t detach(const CaptureRing& ring);
    // Returns the number of the last change.
    [[nodiscard]] uint32_t last_change() const { return changes_.load(std::memory_order_relaxed); }
    [[nodiscard]] bool has_adopted(uint32_t change) const {
        return static_cast<int32_t>(adopted_.load(std::memory_order_acquire) - change) >= 0;
    }

    // --- called by the worker -------------------------------------------------------------------
    [[nodiscard]] bool any() const { return count_ != 0; }
    // Adopts changes; to be called once a poll.
    void adopt() {
        if (changes_.load(std::memory_order_acquire) != adopted_.load(std::memory_order_relaxed))
            [[unlikely]]
            take_over();
    }
    // Passes a received burst to the captures. Frames without a Drop have their priority already.
    void received(PortIndex port, std::span<const Frame> burst, std::span<const Drop> of_headers,
                  Nanos now);
    // Passes the frames before the device gets them; `sent` reports afterwards how many the device
    // accepted.
    void about_to_send(PortIndex port, std::span<const Frame> burst, Nanos now);
    void sent(std::size_t sent);
    // Passes a frame that the switch made, after the device accepted the frame.
    void generated(PortIndex port, std::span<const uint8_t> octets, Nanos now);
    // Passes a dropped frame as it was received, without a planned edit of its tag (tag.h).
    // `priority` is unknown if only the octets of the frame are known.
    void dropped_ingress(PortIndex port, const Frame& frame, Priority priority, Drop why,
                         const Voq& voq, Nanos now);
    // Passes the frame as it was received; the frame's priority is known.
    void trimmed(PortIndex port, const Frame& frame, const Voq& voq, Nanos now);
    void dropped_egress(PortIndex port, const Frame& frame, Drop why, Bytes depth, Nanos now);

  private:
    void take_over();
    void keep(const CaptureRecord& record, const uint8_t* octets);
    void keep_at_voq(CaptureRecord record, Priority priority, const Voq& voq,
                     const uint8_t* octets);
    [[nodiscard]] std::span<CaptureRing* const> active() const {
        return std::span(active_).first(count_);
    }

    std::array<CaptureRing*, most> active_{};  // used by the worker
    std::size_t count_ = 0;
    std::atomic<uint32_t> adopted_{0};
    std::array<std::atomic<CaptureRing*>, most> attached_{};  // written by control
    std::atomic<uint32_t> changes_{0};
};

}  // namespace sluice
