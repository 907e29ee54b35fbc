// CaptureTap: what one capture has of one worker: which frames it wants, and a ring of copies, from
// that worker to control.
//
// A copy stands in cells of 64 octets, its record in the first. What is to be sent is staged before
// the device gets it, since afterwards its buffer is another's, and seen by control only once the
// device took it.
// Bound: `cells` cells, half a MiB. What finds no room is counted as lost, and the worker goes on:
// its cost is a copy of what is kept, at most `longest` octets a frame.
// Not done here: filters that look into the frame, and time of day; control's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "dataplane/capture/record.h"
#include "dataplane/counters.h"
#include "dataplane/worker_queue.h"

namespace sluice {

class CaptureTap {
  public:
    static constexpr uint32_t cells = 8192;

    struct Wanted {
        PortSet received = 0;
        PortSet sent = 0;               // those made by the switch as well
        PortSet dropped = 0;            // there, or on the way there
        PrioritySet priorities = 0xFF;  // all of them: frames that have none as well
        uint16_t longest = UINT16_MAX;  // octets of a frame that are kept
    };

    explicit CaptureTap(const Wanted& wanted) : wanted_(wanted) {}

    // --- by the worker --------------------------------------------------------------------------
    // `record.length` octets are at `octets`; `record.copied` is set here.
    void keep(const CaptureRecord& record, const uint8_t* octets);
    // The same of the next frame of a burst that is to be sent, in order.
    void stage(const CaptureRecord& record, const uint8_t* octets);
    // The device took the first `sent` of the burst; the others will be staged again.
    void sent(std::size_t sent);

    // --- by control -----------------------------------------------------------------------------
    // All that is there by now: `visit(const CaptureRecord&, std::span<const uint8_t> octets)`.
    template <class Visit>
    void take(Visit visit);
    // Frames that it wanted and had no room for.
    [[nodiscard]] uint64_t lost() const { return lost_.value(); }

  private:
    struct alignas(64) Cell {
        std::array<uint8_t, 64> octets;
    };
    static constexpr std::size_t in_first = sizeof(Cell) - sizeof(CaptureRecord);
    // Of what was staged: no cells, or no room for them.
    static constexpr uint16_t not_wanted = 0;
    static constexpr uint16_t no_room = UINT16_MAX;

    static constexpr uint16_t cells_for(std::size_t copied) {
        const std::size_t behind = copied > in_first ? copied - in_first : 0;
        return static_cast<uint16_t>(1 + (behind + sizeof(Cell) - 1) / sizeof(Cell));
    }
    [[nodiscard]] bool wants(const CaptureRecord& record) const;
    // The cells that it took; staged, not published.
    uint16_t write(CaptureRecord record, const uint8_t* octets);

    const Wanted wanted_;
    std::array<uint16_t, max_burst> staged_{};  // cells, a frame each
    std::size_t staged_count_ = 0;
    Counter lost_;
    std::array<uint8_t, UINT16_MAX + sizeof(Cell)> read_;  // a frame put together; by control
    WorkerQueue<Cell, cells> ring_;
};

template <class Visit>
void CaptureTap::take(Visit visit) {
    CaptureRecord record;
    std::size_t filled = 0;
    std::size_t missing = 0;
    ring_.take([&](const Cell& cell) {
        std::span<const uint8_t> octets(cell.octets);
        if (missing == 0) {
            std::memcpy(&record, octets.data(), sizeof record);
            octets = octets.subspan(sizeof record);
            filled = 0;
            missing = cells_for(record.copied);
        }
        std::memcpy(read_.data() + filled, octets.data(), octets.size());
        filled += octets.size();
        if (--missing == 0) visit(record, std::span<const uint8_t>(read_).first(record.copied));
    });
}

}  // namespace sluice
