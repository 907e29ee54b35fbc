// Captures: the running captures. Each capture has one ring for each worker (dataplane/capture).
// The feed of its client is read from these rings.
//
// Workers copy frames by port, direction and priority only; filters, which look into frames, run in
// the control thread. As each capture has rings of its own, a capture whose client does not read,
// or that copies too many frames, loses only its own copies. No switched frame is lost.
// Bound: `most` captures at a time, each with one CaptureRing (0.6 MiB) for each worker and one
// piece of their contents. No thread waits: a ring that a worker may still use is freed later.
// Not done here: resolving names of ports, and access rights (control/security.md).
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
#include "control/service.h"
#include "control/socket/feed.h"
#include "dataplane/capture/capture_points.h"
#include "dataplane/capture/capture_ring.h"
#include "dataplane/switch.h"

namespace sluice::control {

struct CaptureOptions {
    // The frames to capture. `longest` limits the octets that the client gets. With a filter
    // workers copy whole frames nevertheless, since the filter may read any octet.
    CaptureRing::Wanted wanted;
    CaptureFilter filter;
    uint64_t count = 0;  // frames after which the capture ends; 0: no limit
};

class Captures final : public Service {
  public:
    static constexpr std::size_t most = CapturePoints::most;
    // Called once when a capture has ended, for whatever reason.
    using OnEnd = std::function<void(const CaptureCounts& counts)>;

    // `now` is the workers' clock.
    Captures(Switch& dataplane, std::function<Nanos()> now)
        : dataplane_(dataplane), now_(std::move(now)) {}

    // Begins a capture. Returns the feed for the client, or an error. The feed must be destroyed
    // before this object.
    tl::expected<std::unique_ptr<Feed>, std::string> begin(CaptureOptions options, OnEnd ended);
    // Ends the captures of any of the ports. Called before a port is closed, because another port
    // may get its index.
    void stop_on(PortSet ports);
    // Frees rings that no worker uses any more. Called periodically.
    void free_unused();
    void tick(Nanos /*now*/) override { free_unused(); }

  private:
    friend class Capture;

    struct Attachment {
        std::unique_ptr<CaptureRing> ring;
        uint32_t change = 0;  // number of the change that attached or detached the ring
    };
    struct Slot {
        std::vector<Attachment> attachments;  // by worker; empty: the slot is free
        PortSet ports = 0;                    // ports whose frames are captured
        bool stopped = false;
        bool ended = false;
    };

    [[nodiscard]] bool is_adopted(const Slot& slot) const;
    void detach(Slot& slot);
    void end(Slot& slot);

    Switch& dataplane_;
    std::function<Nanos()> now_;
    std::array<Slot, most> slots_;
};

}  // namespace sluice::control
