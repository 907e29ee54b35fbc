// Tracer: writes one worker's notes of traced frames: chooses frames when they are received, and
// recognises them by buffer and output when they leave a VOQ and the switch.
//
// While no trace runs, `wants` and `is_on` return false, and no other function may be called, so
// tracing costs one test a burst. While a trace runs, each frame that crosses the fabric or is sent
// is compared with the traced ones. The tracer never changes the forwarding of a frame.
// Bound: one comparison for each traced copy, for each frame whose buffer may belong to one.
// Not done here: requesting and showing a trace (control/trace).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dataplane/credits/credit_watch.h"
#include "dataplane/egress/egress.h"
#include "dataplane/forward/fdb.h"
#include "dataplane/ingress/ingress.h"
#include "dataplane/trace/record.h"
#include "dataplane/trace/trace_board.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

class Tracer {
  public:
    explicit Tracer(WorkerIndex self) : self_(self) {}

    // Adopts control's orders; to be called once a poll. Frames are chosen only after every worker
    // notes departures, so that a frame that is handed over is not missed.
    void attend(TraceBoard& board);
    // Returns whether frames received by `port` may have to be traced.
    [[nodiscard]] bool wants(PortIndex port) const { return (wanted_ & only(port)) != 0; }
    // Returns whether any frame may be a traced one.
    [[nodiscard]] bool is_on() const { return on_; }
    void set_time(Nanos now) { now_ = now; }

    // --- a received burst -----------------------------------------------------------------------
    // The results of parsing and classification of a frame.
    struct Arrival {
        InputIndex input;
        PortIndex port;
        bool parsed;
        const Headers& headers;
        Drop why;
        PrioritySource rule;
    };
    void begin_burst() { chosen_.fill(nobody), added_ = 0; }
    // Begins to trace frame `n` of the burst if it matches; returns whether it does.
    bool choose(std::size_t n, const Frame& frame, const Arrival& arrival);
    // Selects frame `n` for the next calls. Returns false if it is not traced.
    bool select(std::size_t n);
    // To be called before the source is learned.
    void looked_up(Fdb::PackedEntry source, Fdb::PackedEntry destination, bool is_member);
    void forwarded(Drop why, PortSet outputs);
    void too_long(PortSet outputs);
    // The state that may block an output: pauses by its peer, and lack of credit.
    struct Holds {
        const Egress& egress;
        const CreditWatch& credit;
    };
    struct Admitted {
        PortIndex output;
        TraceWay way;
        Drop why;
        const Admission& found;
        uint64_t ahead_in_egress;  // frames before the copy in the egress queue
        Holds holds;
    };
    void admitted(const Frame& frame, const Admitted& admitted);
    void end_burst();

    // --- after the burst ------------------------------------------------------------------------
    // To be called after ECN marking.
    void leaves_voq(PortIndex output, std::span<const Frame> frames);
    // `chose` notes the frames that an output is about to send; `sent` notes how many of these
    // frames the device accepted.
    void chose(PortIndex output, std::span<const Frame> burst);
    void sent(std::span<const Frame> burst, std::size_t sent, const Holds& holds);
    // Notes that frames for one of `outputs` were dropped.
    void dropped(PortSet outputs, std::span<const Frame> frames, Drop why);

  private:
    static constexpr uint8_t nobody = 0xFF;
    static_assert(most_traced_frames <= nobody);
    struct Chosen {
        std::size_t place;  // position in the burst
        TraceArea* area;
        TracedCopy* copy;
    };

    [[nodiscard]] bool fits(const Frame& frame, const Arrival& arrival) const;
    [[nodiscard]] TraceArea& own() { return board_->areas()[self_]; }
    [[nodiscard]] Chosen find(const void* handle, PortSet outputs);
    void close(TracedCopy& copy, Drop why);

    const WorkerIndex self_;
    bool on_ = false;
    bool waits_for_others_ = false;  // until all workers have adopted the order
    PortSet wanted_ = 0;
    uint32_t order_ = 0;
    uint32_t left_ = 0;  // frames that are still to be traced
    TraceBoard* board_ = nullptr;
    Nanos now_;
    // For a received burst: the index of each chosen frame in the area, after the published frames.
    std::array<uint8_t, max_burst> chosen_{};
    uint32_t added_ = 0;
    TracedFrame* selected_ = nullptr;
    // State of a burst that is being sent.
    std::array<Chosen, max_burst> leaving_{};
    std::size_t leaving_count_ = 0;
};

}  // namespace sluice
