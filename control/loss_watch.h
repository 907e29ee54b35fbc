// LossWatch: tells of frames that were lost and should not have been, by port and reason.
//
// A loss that lasts is told every 10 s, with how many frames it has cost since, so that it does not
// fill the log.
// Not done here: whether a reason is a loss at all. Most drops are what was asked for.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dataplane/drops.h"
#include "dataplane/limits.h"

namespace sluice::control {

struct LossEvent {
    PortIndex port = 0;
    Drop why = Drop::none;  // its name is the event's kind
    std::string text;
};

class LossWatch {
  public:
    using Time = std::chrono::steady_clock::time_point;
    // Frames that a port has dropped so far.
    using Count = std::function<uint64_t(PortIndex port, Drop why)>;

    explicit LossWatch(std::size_t ports) : told_(ports) {}

    std::vector<LossEvent> look(const Count& count, Time now) {
        std::vector<LossEvent> events;
        for (PortIndex port = 0; port < told_.size(); ++port) {
            for (std::size_t loss = 0; loss < losses.size(); ++loss) {
                const uint64_t frames = count(port, losses[loss].why);
                Told& told = told_[port][loss];
                if (frames == told.frames || (told.frames != 0 && now - told.at < quiet)) continue;
                events.push_back(
                    {port, losses[loss].why,
                     std::to_string(frames - told.frames) + std::string(losses[loss].text)});
                told = {frames, now};
            }
        }
        return events;
    }

  private:
    struct Loss {
        Drop why;
        std::string_view text;
    };
    static constexpr std::array losses = {
        Loss{Drop::headroom_overrun,
             " frame(s) of a lossless priority lost: the peer sent more after its XOFF than "
             "pfc.headroom holds; raise it"},
        Loss{Drop::no_queue_entry,
             " frame(s) lost, of lossless priorities as well: the queues' own memory is full, as "
             "settings that change over a full buffer may make it; change them when less waits"},
    };
    static constexpr std::chrono::seconds quiet{10};

    struct Told {
        uint64_t frames = 0;
        Time at;
    };
    std::vector<std::array<Told, losses.size()>> told_;
};

}  // namespace sluice::control
