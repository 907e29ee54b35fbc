// CsigOutput: updates the CSIG tags of frames that a port sends: writes the port's signals into
// tags whose signals are better.
//
// Once a poll: `look` at the port. For each burst: `look` at each of its priorities; `update` its
// frames; `sent` once the device accepted some of them. A frame that the device refused is passed
// again: it is compared again, but counted once.
// `update` writes neither octets that other outputs send as well (`shared` counts such frames), nor
// tags of an unknown type, nor tags with D.
// Bound: one search for the tag of each frame, and one division for a frame with a tag; nothing is
// allocated. Only the port's worker calls it; any thread may read the counters.
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

    // The queue of a priority: frames that have left it since the start, frames in it, and its
    // depth.
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

    // Return the number of sent frames: with a tag; with a tag whose signal was replaced; with a
    // tag that was not written because other outputs share the octets.
    [[nodiscard]] uint64_t seen() const { return seen_.value(); }
    [[nodiscard]] uint64_t replaced() const { return replaced_.value(); }
    [[nodiscard]] uint64_t shared() const { return shared_.value(); }
    [[nodiscard]] uint64_t available() const { return bandwidth_.shown(); }

  private:
    static_assert(max_burst <= 64);
    using Marks = uint64_t;  // a bit for each frame of a burst

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
