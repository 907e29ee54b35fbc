// CsigOutput: a port that updates CSIG tags as it sends: what it knows of itself, and the signals
// that it writes where they are worse than those that came.
//
// Once a poll: `look` at the port. For each burst: `look` at each priority of it; `update` its
// frames; `sent` once the device took some of them. A frame that the device refused comes again: it
// is compared anew, and counted once.
// Octets that other outputs send as well are not written (`shared` counts such frames), nor tags of
// a type that is not known, nor those with D.
// Bound: a search for the tag a frame, one division for each that has one; nothing is allocated.
// Only the port's worker calls it; counters may be read.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dataplane/csig/available_bandwidth.h"
#include "dataplane/csig/csig_tag.h"
#include "dataplane/csig/hop_delay.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"

namespace sluice {

class CsigOutput {
  public:
    void configure(const CsigSettings& settings, const PortCsigSettings& own,
                   BitsPerSecond capacity);

    // What waits for a priority, and how many frames of it ever left.
    struct Queue {
        uint32_t left = 0;
        uint64_t waiting = 0;
        Bytes depth;
    };
    void look(uint64_t sent_frames, uint64_t sent_octets, Nanos now) {
        bandwidth_.look(sent_frames, sent_octets, now);
    }
    void look(Priority priority, const Queue& queue, Nanos now);
    void update(std::span<const Frame> burst);
    void sent(std::size_t frames);

    // Of frames that left: those with a tag; of these, those whose signal was replaced, and those
    // whose octets go to other outputs as well.
    [[nodiscard]] uint64_t seen() const { return seen_.value(); }
    [[nodiscard]] uint64_t replaced() const { return replaced_.value(); }
    [[nodiscard]] uint64_t shared() const { return shared_.value(); }
    [[nodiscard]] uint64_t available() const { return bandwidth_.shown(); }

  private:
    static_assert(max_burst <= 64);
    using Marks = uint64_t;  // of the burst, a bit a frame

    [[nodiscard]] int64_t value_of(CsigType type, Priority priority) const;
    [[nodiscard]] bool replace(uint8_t* tag, CsigForm form, Priority priority) const;

    CsigTags tags_;
    PortCsigSettings own_;
    BitsPerSecond capacity_;
    AvailableBandwidth bandwidth_;
    std::array<HopDelay, max_priorities> delays_;
    std::array<Nanos, max_priorities> depths_;
    Marks tagged_ = 0;
    Marks worse_ = 0;
    Marks others_too_ = 0;
    Counter seen_;
    Counter replaced_;
    Counter shared_;
};

}  // namespace sluice
