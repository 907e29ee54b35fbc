// CopyRing: copies of frames from one worker to control, each preceded by a record about the frame.
//
// A copy takes one or more cells of 64 octets; its record is in the first. The worker stages
// copies, and control sees them once they are published; until then they can be withdrawn.
// Bound: `capacity` cells, a power of two. A copy that finds no room is refused, and the worker
// counts it; neither side waits. `Record::copied` is the number of octets after the record.
// Not done here: choosing frames (capture, sflow).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "dataplane/threads/single_producer_ring.h"

namespace sluice {

template <class Record, uint32_t capacity>
class CopyRing {
  public:
    static constexpr uint16_t no_room = UINT16_MAX;

    // --- called by the worker -------------------------------------------------------------------
    // Returns the number of cells that the copy took, or `no_room`.
    uint16_t stage(const Record& record, const uint8_t* octets) {
        assert(octets != nullptr || record.copied == 0);
        const uint16_t cells_taken = cells_for(record.copied);
        if (!ring_.has_room(cells_taken)) return no_room;
        Cell cell;
        std::memcpy(cell.octets.data(), &record, sizeof record);
        const std::size_t beside = std::min<std::size_t>(record.copied, in_first);
        // A record without octets may have a null pointer.
        std::copy_n(octets, beside, cell.octets.data() + sizeof record);
        ring_.stage(cell);
        for (std::size_t at = beside; at < record.copied; at += sizeof cell) {
            const std::size_t left = std::min<std::size_t>(record.copied - at, sizeof cell);
            std::memcpy(cell.octets.data(), octets + at, left);
            ring_.stage(cell);
        }
        return cells_taken;
    }
    // Withdraws the copies that were staged last. `cells_taken`: the sum of their cells.
    void withdraw(uint16_t cells_taken) { ring_.withdraw(cells_taken); }
    void publish() { ring_.publish(); }

    // --- called by control ----------------------------------------------------------------------
    // Takes all copies: `visit(const Record&, std::span<const uint8_t> octets)`.
    template <class Visit>
    void take(Visit visit) {
        Record record;
        std::size_t filled = 0;
        std::size_t missing = 0;
        ring_.take([&](const Cell& cell) {
            std::span<const uint8_t> octets(cell.octets);
            if (missing == 0) {
                std::memcpy(&record, octets.data(), sizeof record);
                octets = octets.subspan(sizeof record);
                filled = 0;
                missing = cells_for(record.copied);
                assert(missing <= capacity);
            }
            assert(filled + octets.size() <= read_.size());
            std::memcpy(read_.data() + filled, octets.data(), octets.size());
            filled += octets.size();
            if (--missing == 0) visit(record, std::span<const uint8_t>(read_).first(record.copied));
        });
    }

  private:
    struct alignas(64) Cell {
        std::array<uint8_t, 64> octets;
    };
    static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) < sizeof(Cell));
    static constexpr std::size_t in_first = sizeof(Cell) - sizeof(Record);

    static constexpr uint16_t cells_for(std::size_t copied) {
        const std::size_t behind = copied > in_first ? copied - in_first : 0;
        return static_cast<uint16_t>(1 + (behind + sizeof(Cell) - 1) / sizeof(Cell));
    }

    std::array<uint8_t, UINT16_MAX + sizeof(Cell)> read_;  // for control: one whole copy
    SingleProducerRing<Cell, capacity> ring_;
};

}  // namespace sluice
