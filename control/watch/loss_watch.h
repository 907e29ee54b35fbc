// LossWatch: reports frames that should not have been lost, by port and reason; and frames from
// peers that ignore pauses, before they cause losses.
//
// A lasting loss is reported again every 10 s, with the number of frames lost since the last report
// (EventSink::growth).
// Not done here: deciding whether a drop reason is a loss. Most drops are intended.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "control/events/event_sink.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

// Counts of lost frames, by port.
struct LossCounts {
    std::function<uint64_t(PortIndex port, Drop why)> dropped;
    // Frames lost in the device, before the switch saw them. Their priority is not known, so they
    // are reported only while some priority of the port is lossless.
    std::function<uint64_t(PortIndex port)> missed;
    std::function<bool(PortIndex port)> lossless;
    // Frames that a peer sent while it was paused (dataplane/pfc/pause_obedience.h); these frames
    // need not be lost.
    std::function<uint64_t(PortIndex port)> ignored;
};

class LossWatch {
  public:
    using Time = EventSink::Time;

    LossWatch(std::size_t ports, EventSink& events) : ports_(ports), events_(events) {}

    void look(const LossCounts& counts, Time now) {
        for (PortIndex port = 0; port < ports_; ++port) {
            const auto look_at = [&](std::string_view kind, uint64_t frames,
                                     std::string_view text) {
                if (const auto more = events_.growth(kind, port, frames, now)) {
                    events_.warn(std::string(kind), port,
                                 std::to_string(*more) + std::string(text));
                }
            };
            const uint64_t ignored = counts.ignored(port);
            look_at("pause_ignored", ignored, of_ignored);
            for (const Loss& loss : watched) {
                const bool by_peer = loss.why == Drop::headroom_overrun && ignored > 0;
                look_at(name_of(loss.why), counts.dropped(port, loss.why),
                        by_peer ? of_disobedient : loss.text);
            }
            if (const uint64_t missed = counts.missed(port); counts.lossless(port)) {
                look_at("missed", missed, of_missed);
            } else {
                events_.skip("missed", port, missed);
            }
        }
    }

  private:
    struct Loss {
        Drop why;
        std::string_view text;
    };
    static constexpr std::array watched = {
        Loss{Drop::headroom_overrun,
             " frame(s) of a lossless priority lost: the peer sent more after its XOFF than "
             "pfc.headroom holds; raise it"},
        Loss{
            Drop::no_credit,
            " frame(s) of a lossless priority lost: they took more buffer than the peer had credit "
            "for; let both ends take frames to the same priorities, and see whether frames are "
            "flooded or get a tag"},
        Loss{Drop::no_queue_entry,
             " frame(s) lost, lossless ones included: the queues have no free entries, which "
             "settings that change while the buffer is full can cause; change them when fewer "
             "frames are queued"},
        Loss{
            Drop::too_long_for_interface,
            " frame(s) dropped: longer than the interface of the port, or the host at its far end, "
            "takes; give host and port the same MTU (`ip link set dev IF mtu N`, `mtu`)"},
    };
    static constexpr std::string_view of_disobedient =
        " frame(s) of a lossless priority lost: the peer obeys no pauses (`pause_ignored`), so no "
        "headroom is large enough";
    static constexpr std::string_view of_ignored =
        " frame(s) of a lossless priority received after an XOFF and its repetition: the peer "
        "obeys no pauses, or takes longer than pfc.response. Enable PFC at the peer; a Linux host "
        "or guest has no PFC: write `pfc: {by: ring}` at its port, or no lossless priority";
    static constexpr std::string_view of_missed =
        " frame(s) lost in the device, lossless ones possibly included: its receive ring was full "
        "because its worker did not poll it in time; raise rx_descriptors, or give the port a "
        "worker with a core of its own";

    const std::size_t ports_;
    EventSink& events_;
};

}  // namespace sluice::control
