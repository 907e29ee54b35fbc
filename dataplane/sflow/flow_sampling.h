// FlowSampling: samples one frame in N of those that each input of a worker receives, with its
// first octets and its forwarding, for control (sFlow version 5, flow_sample).
//
// `choose` picks frames once a burst. Decisions about picked frames are noted as they are made.
// `finish` puts the records into a ring at the end of the burst, while the switch still owns the
// buffers. Later events, such as an output that closes while the frame waits, are not recorded.
// Bound: off, two tests a burst. On, one subtraction a burst; if a frame was picked, O(picked) for
// each refused copy, and a copy of up to `header` octets for each picked frame. The ring has
// `cells` cells, 64 KiB: records that find no room are counted, and no thread waits.
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

    // --- by the worker --------------------------------------------------------------------------
    // `one_in`: 0: off. `header`: how many octets of a frame are kept, at all inputs.
    void configure(InputIndex input, uint32_t one_in, uint16_t header);
    [[nodiscard]] bool is_on(InputIndex input) const { return (on_ & only(input)) != 0; }
    // Picks among the frames of a burst, as they were received. True: at least one was picked, and
    // `finish` must follow for that burst.
    bool choose(InputIndex input, std::span<const Frame> burst);
    // A picked frame was dropped; or its copy for one output was refused.
    void dropped(const Frame& frame, Drop why);
    void refused(const Frame& frame, PortIndex output, Drop why);
    // Ends the burst that `choose` was given. `of_headers`: why each frame was dropped by its
    // headers, if it was; `outputs`: where each frame was to go.
    void finish(InputIndex input, std::span<const Frame> burst, std::span<const Drop> of_headers,
                std::span<const PortSet> outputs);

    // --- by control -----------------------------------------------------------------------------
    // Takes all records: `visit(const FlowRecord&, std::span<const uint8_t> octets)`.
    template <class Visit>
    void take(Visit visit) {
        ring_.take(visit);
    }
    // Picked frames of one of the worker's inputs that found no room in the ring.
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
        const uint8_t* data;  // and length, as it came
        uint16_t length;
        uint16_t at;  // in the burst
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
