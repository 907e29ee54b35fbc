// Tracer: one worker's notes of traced frames: it chooses them as they come in, and knows them
// again by buffer and output as they leave a VOQ and the switch.
//
// Where no trace is ordered `wants` and `is_on` are false, and nothing else is to be called: so it
// costs a test a burst. Where one is, each frame that crosses or leaves is compared with those that
// are traced. Nothing here decides anything: what happens to a frame is the same either way.
// Bound: a comparison a copy that is traced, for each frame whose buffer may be one of theirs.
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

    // Once a poll: does as control has ordered. Frames are chosen only once every worker notes what
    // leaves, or one that is handed over might leave unseen.
    void attend(TraceBoard& board);
    // Whether frames that come by `port` may be some to be traced.
    [[nodiscard]] bool wants(PortIndex port) const { return (wanted_ & only(port)) != 0; }
    // Whether any frame may be one that is traced.
    [[nodiscard]] bool is_on() const { return on_; }
    void set_time(Nanos now) { now_ = now; }

    // --- a burst on its way in ------------------------------------------------------------------
    // What is known of a frame from its headers alone.
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
    // What follows is of frame `n`. False: it is none of them.
    bool select(std::size_t n);
    // Before its source is learned.
    void looked_up(Fdb::PackedEntry source, Fdb::PackedEntry destination, bool is_member);
    void forwarded(Drop why, PortSet outputs);
    void too_long(PortSet outputs);
    // What may hold an output: its peer, that pauses it or has no room.
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
    // Marked by then, if they are to be.
    void leaves_voq(PortIndex output, std::span<const Frame> frames);
    // What an output chose to send, and how much of that the device took.
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
    // Of a burst on its way in: which frame of the area each is, after those that are published.
    std::array<uint8_t, max_burst> chosen_{};
    uint32_t added_ = 0;
    TracedFrame* selected_ = nullptr;
    // Of a burst on its way out.
    std::array<Chosen, max_burst> leaving_{};
    std::size_t leaving_count_ = 0;
};

}  // namespace sluice
