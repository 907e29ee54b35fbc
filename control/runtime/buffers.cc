// The number of frame buffers that a runtime needs.
#include <algorithm>

#include "control/runtime/runtime.h"
#include "dataplane/buffer/dynamic_threshold.h"
#include "dataplane/egress/egress_queue.h"

namespace sluice::control {

std::size_t buffers_in_devices(const std::vector<pmd::PortRequest>& ports, std::size_t places) {
    std::size_t sum = 0;
    std::size_t most = pmd::buffers_for({});
    for (const pmd::PortRequest& port : ports) {
        sum += pmd::buffers_for(port);
        most = std::max(most, pmd::buffers_for(port));
    }
    return sum + (places - ports.size()) * most;
}

// A buffer holds one frame, however many outputs it is queued for. So the largest numbers of
// buffers are
//   in VOQs           buffer.size / the charge of the shortest frame, and what several workers may
//                     overdraw (dynamic_threshold.h): each a burst, and the excess of lanes
//   in egress queues  and on the way there: ports x priorities x 128, with several workers 192 and
//                     what each may have under way to a port (egress_queue.h)
//   in devices        what each port's descriptors hold (port.h), and what its retry holds behind
//                     gaps (resequence_buffer.h); a vacant slot counts like the largest port
//   in use            a burst and a control frame a worker, and a pause frame a port
//   in caches         of the lcores (pool.h)
// By default, four ports, one worker: 65536 + 4096 + 8192 + 133 + 768, 77 thousand, which at 2.4
// KiB each are 180 MiB.
std::size_t frame_buffers(const config::Configuration& configuration,
                          const std::vector<pmd::PortRequest>& ports,
                          const RuntimeOptions& options) {
    const Settings& settings = configuration.settings;
    const std::size_t in_queues = most_frames_in_buffer(settings) + most_frames_overdrawn(settings);
    const std::size_t places = std::max(ports.size(), configuration.hotplug.ports);
    const std::size_t in_egress = places * EgressQueue::most_frames_of_output(settings.workers);
    const std::size_t in_devices = buffers_in_devices(ports, places);
    const std::size_t in_hands = settings.workers * (max_burst + 1) + places;
    const std::size_t lcores = 1 + settings.workers + options.companion_cpus.size();
    return in_queues + in_egress + in_devices + in_hands + pmd::Pool::cached_by(lcores) +
           options.companion_buffers;
}

}  // namespace sluice::control
