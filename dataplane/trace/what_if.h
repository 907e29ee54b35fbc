// WhatIf: predicts what would happen to a frame if a port received it now: how it would be parsed
// and classified, to which outputs the present tables would forward it, and with which tag. Nothing
// is learned, snooped or counted.
//
// As nothing is learned, a frame whose destination equals its source does not find that address.
// The steps are those of ingress_pipeline/pipeline.h, in the same order, but for one frame instead
// of a burst, so the order is written a second time here. Headers, priorities, tables and tag edits
// use the code of the frame path. A property test checks that the answers match the real forwarding
// (tests/property/what_if_property.cc). Conditions of the moment are reported, not decided: whether
// storm control has a token, whether queues have room, and whether WRED drops.
// Bound: the work for one frame. Only control's thread calls it, and reads FDB and groups like any
// worker.
// Follows OVS' ofproto/trace.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/egress/egress.h"
#include "dataplane/forward/forwarding.h"
#include "dataplane/ingress/classify.h"
#include "dataplane/ingress/format.h"
#include "dataplane/trace/record.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice {

class WhatIf {
  public:
    // The copy for one output.
    struct Copy {
        PortIndex output = 0;
        bool mirrored = false;
        TagEdit edit = TagEdit::none;
        uint16_t length = 0;
        Drop why = Drop::none;
    };
    struct Answer {
        TracedFrame frame;
        std::optional<StormControlKind> storm_control;  // the limit that the frame counts against
        std::array<Copy, max_ports> copies;
        std::size_t copy_count = 0;
    };
    // The frames that the watchdogs of an output drop.
    struct Discards {
        PrioritySet storms = 0;  // frames of these priorities
        bool copies = false;     // frames with several outputs
        bool all = false;        // all frames

        static Discards of(const Egress& output) {
            const StallWatch& stall = output.stall_watch();
            const bool is_stalled = stall.is_stalled();
            return {output.discarding(), is_stalled, is_stalled && stall.drops_all()};
        }
    };
    using Discarding = std::array<Discards, max_ports>;

    // `forwarding`: an observer with the same settings. `outputs`: ports that data may be sent by.
    WhatIf(const Settings& settings, Forwarding::Shard& forwarding, PortSet outputs,
           const Discarding& discarding)
        : settings_(settings),
          forwarding_(forwarding),
          outputs_(outputs),
          discarding_(discarding) {}

    // The reasons for which the switch refuses frames of a port.
    struct Guard {
        Drop refusal = Drop::none;  // reason why the port accepts no data
        uint64_t probes_of = 0;     // sender of the loop probes of this switch; 0: none
    };
    // No other thread may write to `octets` during the call.
    [[nodiscard]] Answer operator()(PortIndex port, std::span<uint8_t> octets, Nanos now,
                                    const Guard& guard);

  private:
    Drop examine(const PortSettings& port, const Format& format, Frame& frame, Headers& headers,
                 Nanos now) const;
    Drop forward(const PortSettings& port, PortIndex number, Frame& frame,
                 const Forwarding::Shard::Probes& probes, Nanos now, Answer& answer);
    [[nodiscard]] bool is_suppressed(PortIndex number, const Format& format,
                                     const Frame& frame) const;
    void copy(const PortSettings& port, const Frame& frame, bool edits_tags, Answer& answer) const;
    void add(Answer& answer, Frame frame, PortIndex output, TagEdit edit, bool mirrored) const;
    // Returns the reason why the copy for `output` is dropped before the buffer is checked.
    [[nodiscard]] Drop early_drop(const Answer& answer, const Frame& frame, PortIndex output,
                                  bool mirrored) const;

    const Settings& settings_;
    Forwarding::Shard& forwarding_;
    const PortSet outputs_;
    const Discarding& discarding_;
};

}  // namespace sluice
