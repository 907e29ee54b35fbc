// CaptureRing: what one capture has of one worker: which frames it wants, and a ring of copies,
// from that worker to control.
//
// What is to be sent is staged before the device gets it, since afterwards its buffer is another's,
// and seen by control only once the device took it.
// Bound: `cells` cells, half a MiB. What finds no room is counted as lost, and the worker goes on:
// its cost is a copy of what is kept, at most `longest` octets a frame.
// Not done here: filters that look into the frame, and time of day; control's.
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
        PortSet sent = 0;               // those made by the switch as well
        PortSet dropped = 0;            // there, or on the way there
        PrioritySet priorities = 0xFF;  // all of them: frames that have none as well
        uint16_t longest = UINT16_MAX;  // octets of a frame that are kept
    };

    explicit CaptureRing(const Wanted& wanted) : wanted_(wanted) {}

    // --- by the worker --------------------------------------------------------------------------
    // `record.length` octets are at `octets`; `record.copied` is set here.
    void keep(const CaptureRecord& record, const uint8_t* octets);
    // As `keep`, of the next frame, in order, of a burst that the device is about to be given:
    // control sees it once `sent` says that the device took it.
    void stage(const CaptureRecord& record, const uint8_t* octets);
    // The device took the first `sent` of the burst; the others will be staged again.
    void sent(std::size_t sent);

    // --- by control -----------------------------------------------------------------------------
    // All that is there by now: `visit(const CaptureRecord&, std::span<const uint8_t> octets)`.
    template <class Visit>
    void take(Visit visit) {
        ring_.take(visit);
    }
    // Frames that it wanted and had no room for.
    [[nodiscard]] uint64_t lost() const { return lost_.value(); }

  private:
    using Ring = CopyRing<CaptureRecord, cells>;
    // Of what was staged, where it took no cells: it is not wanted.
    static constexpr uint16_t not_wanted = 0;

    [[nodiscard]] bool wants(const CaptureRecord& record) const;
    // The cells that it took; staged, not published.
    uint16_t write(CaptureRecord record, const uint8_t* octets);

    const Wanted wanted_;
    std::array<uint16_t, max_burst> staged_{};  // cells, a frame each
    std::size_t staged_count_ = 0;
    Counter lost_;
    Ring ring_;
};

}  // namespace sluice
