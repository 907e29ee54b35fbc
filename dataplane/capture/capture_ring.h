// CaptureRing: one capture at one worker: the selection of frames, and a ring of copies from that
// worker to control.
//
// A frame to be sent is copied and staged before the device gets it, since its buffer may be reused
// afterwards. Control sees the copy only after the device accepted the frame.
// Bound: `cells` cells, half a MiB. A frame without room is counted as lost. The worker never
// waits: its cost is the copy, at most `longest` octets a frame.
// Not done here: filters that read the frame, and time of day (control/capture).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dataplane/capture/record.h"
#include "dataplane/threads/copy_ring.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"

namespace sluice {

class CaptureRing {
  public:
    static constexpr uint32_t cells = 8192;

    struct Wanted {
        PortSet received = 0;
        PortSet sent = 0;               // outputs, including frames that the switch made
        PortSet dropped = 0;            // ports where drops are counted, as input or output
        PrioritySet priorities = 0xFF;  // all: also frames without a known priority are wanted
        uint16_t longest = UINT16_MAX;  // octets that are kept of a frame
    };

    explicit CaptureRing(const Wanted& wanted) : wanted_(wanted) {}

    // --- called by the worker -------------------------------------------------------------------
    // Copies a frame into the ring. `octets` has `record.length` octets; `record.copied` is set by
    // this call.
    void keep(const CaptureRecord& record, const uint8_t* octets);
    // Like `keep`, but for a frame that the device is about to get. Called for each frame of a
    // burst, in order. Control sees the copy once `sent` reports that the device accepted the
    // frame.
    void stage(const CaptureRecord& record, const uint8_t* octets);
    // Notes that the device accepted the first `sent` frames of the burst. The other frames will be
    // staged again.
    void sent(std::size_t sent);

    // --- called by control ----------------------------------------------------------------------
    // Takes all records: `visit(const CaptureRecord&, std::span<const uint8_t> octets)`.
    template <class Visit>
    void take(Visit visit) {
        ring_.take(visit);
    }
    // Returns the number of wanted frames that found no room.
    [[nodiscard]] uint64_t lost() const { return lost_.value(); }

  private:
    using Ring = CopyRing<CaptureRecord, cells>;
    // Number of cells of a staged frame that is not wanted.
    static constexpr uint16_t not_wanted = 0;

    [[nodiscard]] bool wants(const CaptureRecord& record) const;
    // Returns the number of cells of the record; they are staged, not published.
    uint16_t write(CaptureRecord record, const uint8_t* octets);

    const Wanted wanted_;
    std::array<uint16_t, max_burst> staged_{};  // cells of each staged frame
    std::size_t staged_count_ = 0;
    Counter lost_;
    Ring ring_;
};

}  // namespace sluice
