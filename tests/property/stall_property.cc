// Devices that take nothing for a while, or now and then, whatever comes for them:
//   the others   every lossless frame between ports that do take arrives, in order of its port, and
//                whoever sends it is paused no longer than it takes to find the stall
//   the stalled  what it gets beside is dropped by the one name, and nothing leaks
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "dataplane/types/random.h"
#include "tests/property/draw.h"
#include "tests/support/lossless.h"
#include "tests/support/rig.h"

namespace sluice::property {
namespace {

using namespace literals;

constexpr PortIndex stalled = 1;
constexpr Nanos found_within{650'000'000};  // detection, two looks, and when they are polled

Settings draw_settings(WatchdogAction action, std::size_t ports) {
    Settings settings = test::lossless_settings(ports);
    settings.fabric.bypass = between<int>(0, 1) == 1;
    settings.workers = between<uint8_t>(1, 2);
    for (std::size_t port = 0; port < ports; ++port) {
        settings.ports[port].pfc.watchdog.action = action;
        settings.ports[port].worker = static_cast<WorkerIndex>(port % settings.workers);
    }
    return settings;
}

// Ports send by pairs, from an even one from 2 on to the next, and besides to the stalled one: to
// it alone or, under `alert`, to everybody, which is of a lossless priority as well.
RC_GTEST_PROP(Stall, HoldsNobodyElse, ()) {
    const auto action =
        one_of({WatchdogAction::alert, WatchdogAction::drop, WatchdogAction::forward});
    const bool floods = action == WatchdogAction::alert || between<int>(0, 1) == 1;
    const auto ports = static_cast<PortIndex>(2 * between<int>(2, 4));
    test::Rig rig(draw_settings(action, ports));
    const auto room = between<std::size_t>(0, 100);
    rig.ports.room[stalled] = room;
    Random random(wide<uint64_t>(0, INT32_MAX));  // draws in thousands would be shrunk for hours
    const Nanos start = rig.now;
    Nanos stands_since = start;
    std::size_t offered = 0;
    std::size_t flooded = 0;
    while (rig.now < start + 2_s) {
        if (rig.ports.room[stalled] > 0) stands_since = rig.now;
        for (PortIndex from = 2; from < ports; from += 2) {
            const bool is_paused = rig.dataplane.ingress(from).pause_sender().pausing() != 0;
            RC_ASSERT(!is_paused || rig.now - stands_since < found_within);
            if (is_paused) continue;
            rig.receive(from, "p", test::to(from + 1U, 3, from));
            ++offered;
            if (random.next() % 4 > 0) continue;
            // A copy each for up to seven outputs: no more at once than the headroom takes.
            const std::string names(1 + random.next() % 4, 'x');
            test::FrameSpec spec = test::to(stalled, 3, from);
            if (floods) spec.to = test::broadcast;
            if (floods) flooded += names.size();
            rig.receive(from, names, spec);
        }
        rig.poll();
        rig.now += Nanos(1'000'000 + random.next() % 9'000'000);
    }
    for (int n = 0; n < 4; ++n) rig.poll();
    const StallWatch& watch = rig.dataplane.egress(stalled).stall_watch();
    RC_ASSERT(watch.is_stalled() || room > 20);  // few frames fill it in time
    RC_ASSERT(watch.detected() <= 1U);
    std::size_t delivered = 0;
    for (PortIndex port = 3; port < ports; port += 2) {
        const std::string names = rig.sent(port);
        delivered += static_cast<std::size_t>(std::ranges::count(names, 'p'));
        RC_ASSERT(static_cast<std::size_t>(std::ranges::count(names, 'x')) == flooded);
    }
    RC_ASSERT(delivered == offered);
    for (PortIndex port = 0; port < ports; ++port) {
        RC_ASSERT(rig.drops(port, Drop::headroom_overrun) == 0U);
    }
    rig.ports.room[stalled] = SIZE_MAX;
    rig.run();
    RC_ASSERT(rig.at_rest());
}

}  // namespace
}  // namespace sluice::property
