// Captures: who looks at frames at the moment. Each capture has a ring at every worker
// (dataplane/capture), from which it is sent to its client as a feed.
//
// A worker copies what a capture asks for by port, direction and priority; what looks into frames,
// filters, is done here. Each capture has rings of its own, so one that is not read, or reads too
// much, loses frames of its own and no others, and no frame that is switched.
// Bound: `most` at a time, each with `CaptureRing` (0.6 MiB) for each worker, and a piece that
// holds what they held. Nobody is waited for: a ring that a worker may still use is freed later.
// Not done here: names of ports, who may (control/security.md).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "control/capture/filter.h"
#include "control/capture/stream.h"
#include "control/feed.h"
#include "dataplane/capture/capture_points.h"
#include "dataplane/capture/capture_ring.h"
#include "dataplane/switch.h"

namespace sluice::control {

struct CaptureOrder {
    CaptureRing::Wanted wanted;  // `longest`: as told; workers copy all, where a filter looks
    CaptureFilter filter;
    uint64_t count = 0;  // frames after which it is over; 0: none
};

class Captures {
  public:
    static constexpr std::size_t most = CapturePoints::most;
    // When a capture is over, whichever way.
    using Ended = std::function<void(const CaptureCounts& counts)>;

    // `now` is the workers' clock.
    Captures(Switch& dataplane, std::function<Nanos()> now)
        : dataplane_(dataplane), now_(std::move(now)) {}
    Captures(const Captures&) = delete;
    Captures& operator=(const Captures&) = delete;

    // What to send to the client; goes before this does. Or why there is none.
    tl::expected<std::unique_ptr<Feed>, std::string> begin(CaptureOrder order, Ended ended);
    // Ends those that look at one of the ports: another may take its place.
    void cut(PortSet ports);
    // Now and then: frees what no worker uses any more.
    void sweep();

  private:
    friend class Capture;

    struct Attachment {
        std::unique_ptr<CaptureRing> ring;
        uint32_t change = 0;  // that attached it, or detached it
    };
    struct Place {
        std::vector<Attachment> attachments;  // by worker; empty: it is free
        PortSet ports = 0;                    // whose frames it takes
        bool cut = false;
        bool ended = false;
    };

    [[nodiscard]] bool is_adopted(const Place& place) const;
    void detach(Place& place);
    void end(Place& place);

    Switch& dataplane_;
    std::function<Nanos()> now_;
    std::array<Place, most> places_;
};

}  // namespace sluice::control
