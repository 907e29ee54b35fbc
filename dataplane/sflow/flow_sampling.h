// FlowSampling: samples one frame in N that each input of a worker receives, with its first octets
// and its forwarding, for control (sFlow version 5, flow_sample).
//
// `choose` picks frames once a burst. Drops of picked frames are noted when they happen. `finish`
// puts the records into a ring at the end of the burst, while the switch still owns the buffers.
// Later events are not recorded, such as a drop because the output went down.
// Bound: while sampling is off, two tests a burst. While it is on, one subtraction a burst; if a
// frame was picked, O(picked) for each refused copy, and a copy of up to `header` octets for each
// picked frame. The ring has `cells` cells, 64 KiB: records that find no room are counted, and no
// thread waits.
// Not done here: sequence numbers and datagrams (control/sflow).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/sflow/record.h"
#include "dataplane/threads/copy_ring.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/sampler.h"

namespace sluice {

class FlowSampling {
  public:
    static constexpr uint32_t cells = 1024;

    // `inputs`: the worker's inputs.
    FlowSampling(uint64_t seed, InputSet inputs);

    // --- called by the worker -------------------------------------------------------------------
    // `one_in` 0: sampling is off. `header`: octets that are kept of a frame, at all inputs.
    void configure(InputIndex input, uint32_t one_in, uint16_t header);
    [[nodiscard]] bool is_on(InputIndex input) const { return (on_ & only(input)) != 0; }
    // Picks among the frames of a received burst. Returns true if at least one was picked: then
    // `finish` must follow for that burst.
    bool choose(InputIndex input, std::span<const Frame> burst);
    // Note that a picked frame was dropped, or that its copy for one output was refused.
    void dropped(const Frame& frame, Drop why);
    void refused(const Frame& frame, PortIndex output, Drop why);
    // Ends the burst that was passed to `choose`. `of_headers`: the reason if a frame was dropped
    // by its headers; `outputs`: the outputs of each frame.
    void finish(InputIndex input, std::span<const Frame> burst, std::span<const Drop> of_headers,
                std::span<const PortSet> outputs);

    // --- called by control ----------------------------------------------------------------------
    // Takes all records: `visit(const FlowRecord&, std::span<const uint8_t> octets)`.
    template <class Visit>
    void take(Visit visit) {
        ring_.take(visit);
    }
    // Returns the number of picked frames of one of the worker's inputs that found no room in the
    // ring.
    [[nodiscard]] uint64_t lost(InputIndex input) const {
        return sources_[input.number]->lost.value();
    }

  private:
    struct Source {
        explicit Source(uint64_t seed) : sampler(seed) {}

        Sampler sampler;
        uint32_t pool = 0;
        Counter lost;
    };
    struct Picked {
        const void* handle;
        const uint8_t* data;  // first octet of the received frame; `length` is its length
        uint16_t length;
        uint16_t at;  // position in the burst
        PortSet refused;
        Drop reason;
    };

    [[nodiscard]] Picked* find(const Frame& frame);

    InputSet on_ = 0;
    uint16_t header_ = 0;
    std::array<std::optional<Source>, max_ports> sources_;  // by input
    std::size_t picked_count_ = 0;
    std::array<Picked, max_burst> picked_;
    CopyRing<FlowRecord, cells> ring_;
};

}  // namespace sluice
