// Tracer: one worker's notes of traced frames: it chooses frames as they come in, and recognises
// them by buffer and output as they leave a VOQ and the switch.
//
// While no trace is ordered `wants` and `is_on` are false, and nothing else may be called, so
// tracing costs one test a burst. While a trace is ordered, each frame that crosses or leaves is
// compared with the traced ones. The tracer never changes what happens to a frame.
// Bound: one comparison for each traced copy, for each frame whose buffer may belong to one.
// Not done here: how a trace is requested and shown (control/trace).
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

    // Call once a poll: adopts control's orders. Frames are chosen only after every worker notes
    // departures, or a frame that is handed over might leave unseen.
    void attend(TraceBoard& board);
    // Whether frames received by `port` may have to be traced.
    [[nodiscard]] bool wants(PortIndex port) const { return (wanted_ & only(port)) != 0; }
    // Whether any frame may be a traced one.
    [[nodiscard]] bool is_on() const { return on_; }
    void set_time(Nanos now) { now_ = now; }

    // --- a burst on its way in ------------------------------------------------------------------
    // What the headers alone say about a frame.
    struct Arrival {
        InputIndex input;
        PortIndex port;
        bool parsed;
        const Headers& headers;
        Drop why;
        PrioritySource rule;
    };
    void begin_burst() { chosen_.fill(nobody), added_ = 0; }
    // Whether frame `n` of the burst is traced from now on.
    bool choose(std::size_t n, const Frame& frame, const Arrival& arrival);
    // The next calls are for frame `n`. False: it is not traced.
    bool select(std::size_t n);
    // Call before the source is learned.
    void looked_up(Fdb::PackedEntry source, Fdb::PackedEntry destination, bool is_member);
    void forwarded(Drop why, PortSet outputs);
    void too_long(PortSet outputs);
    // The state that may hold back an output: pauses of its peer, and lack of credit.
    struct Holds {
        const Egress& egress;
        const CreditWatch& credit;
    };
    struct Admitted {
        PortIndex output;
        TraceWay way;
        Drop why;
        const Admission& found;
        uint64_t ahead_in_egress;  // before it
        Holds holds;
    };
    void admitted(const Frame& frame, const Admitted& admitted);
    void end_burst();

    // --- later ----------------------------------------------------------------------------------
    // Call after ECN marking.
    void leaves_voq(PortIndex output, std::span<const Frame> frames);
    // The frames that an output chose to send, and how many of them the device took.
    void chose(PortIndex output, std::span<const Frame> burst);
    void sent(std::span<const Frame> burst, std::size_t sent, const Holds& holds);
    // Frames that were to go to one of `outputs`.
    void dropped(PortSet outputs, std::span<const Frame> frames, Drop why);

  private:
    static constexpr uint8_t nobody = 0xFF;
    static_assert(most_traced_frames <= nobody);
    struct Chosen {
        std::size_t place;  // in the burst
        TraceArea* area;
        TracedCopy* copy;
    };

    [[nodiscard]] bool fits(const Frame& frame, const Arrival& arrival) const;
    [[nodiscard]] TraceArea& own() { return board_->areas()[self_]; }
    [[nodiscard]] Chosen find(const void* handle, PortSet outputs);
    void close(TracedCopy& copy, Drop why);

    const WorkerIndex self_;
    bool on_ = false;
    bool waits_for_others_ = false;  // before it chooses any
    PortSet wanted_ = 0;
    uint32_t order_ = 0;
    uint32_t left_ = 0;  // frames to be traced still
    TraceBoard* board_ = nullptr;
    Nanos now_;
    // For a burst on its way in: the index of each chosen frame in the area, after the published
    // ones.
    std::array<uint8_t, max_burst> chosen_{};
    uint32_t added_ = 0;
    TracedFrame* selected_ = nullptr;
    // For a burst on its way out.
    std::array<Chosen, max_burst> leaving_{};
    std::size_t leaving_count_ = 0;
};

}  // namespace sluice
