// Pause storms, whatever the times at which a worker comes to look, and a device that may refuse
// everything meanwhile:
//   slow     a queue whose pauses leave it open, in each detection time, for longer than the
//            longest of them lasts is never declared stormed
//   stormed  one whose peer pauses on and on is, soon after the detection time
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/property/draw.h"
#include "tests/support/lossless.h"
#include "tests/support/pauses.h"

namespace sluice::property {
namespace {

using namespace literals;

struct Pause {
    Nanos at;
    uint16_t quanta;
};

class Queue {
  public:
    Queue() : rig_(settings()) { rig_.receive(0, std::string(30, 'a'), test::to(1)); }

    // A poll in which the worker receives the pauses that have come since the last poll.
    void poll(const std::vector<Pause>& pauses) {
        for (; next_ < pauses.size() && pauses[next_].at <= rig_.now; ++next_) {
            const auto pause = test::pause_of(test::three, pauses[next_].quanta);
            rig_.receive(1, {test::octets_of(pause)});
        }
        while (rig_.slot() > 0) continue;
        rig_.transmit(1, 0);
        rig_.housekeep();
    }
    void wait(Nanos span) { rig_.now += span; }
    [[nodiscard]] Nanos now() const { return rig_.now; }
    [[nodiscard]] bool storms() const {
        return rig_.dataplane.egress(1).watchdog().detected(3) > 0;
    }

    static constexpr BitsPerSecond speed{1'000'000'000};
    static constexpr Nanos detection{100'000'000};
    static constexpr Nanos look{20'000'000};

  private:
    static Settings settings() {
        Settings settings = test::lossless_settings();
        settings.ports[1].speed = speed;
        settings.ports[1].pfc.watchdog = {.action = WatchdogAction::alert,
                                          .detection = detection,
                                          .restoration = detection,
                                          .poll = look};
        return settings;
    }

    test::Rig rig_;
    std::size_t next_ = 0;
};

// Draws the time between polls, mostly a short one. Seconds in steps of a microsecond take minutes.
Nanos draw_gap() {
    return between<int>(0, 3) > 0 ? Nanos(wide<int64_t>(1'000, 2'000'000))
                                  : Nanos(wide<int64_t>(1'000, 150'000'000));
}

// Each pause is shorter than a third of the detection time, and each gap is at least as long.
RC_GTEST_PROP(Storm, IsNoneWhereThePeerResumes, ()) {
    Queue queue;
    const auto longest = between<uint16_t>(6'500, 65'000);  // 3.3 to 33.3 ms
    const Nanos opens = pause_time(Quanta(longest), Queue::speed);
    std::vector<Pause> pauses;
    for (Nanos at = queue.now(); at < queue.now() + 2_s;) {
        pauses.push_back({at, between<uint16_t>(longest / 2, longest)});
        at += pause_time(Quanta(pauses.back().quanta), Queue::speed);
        at += opens + Nanos(between<int64_t>(0, opens.count()));
    }
    for (const Nanos end = queue.now() + 2_s; queue.now() < end; queue.wait(draw_gap())) {
        queue.poll(pauses);
        RC_ASSERT(!queue.storms());
    }
}

RC_GTEST_PROP(Storm, IsFoundWhereThePeerDoesNot, ()) {
    Queue queue;
    const auto quanta = between<uint16_t>(2'000, 65'535);  // from 1 ms on
    const Nanos half = pause_time(Quanta(quanta), Queue::speed) / 2;
    std::vector<Pause> pauses;
    const Nanos start = queue.now();
    for (Nanos at = start; at < start + 5_s; at += half) pauses.push_back({at, quanta});
    Nanos longest_gap;
    while (!queue.storms()) {
        queue.poll(pauses);
        const Nanos gap = draw_gap();
        longest_gap = std::max(longest_gap, gap);
        RC_ASSERT(queue.now() - start <= Queue::detection + Queue::look * 2 + longest_gap * 4);
        queue.wait(gap);
    }
    RC_ASSERT(queue.now() - start >= Queue::detection);
}

}  // namespace
}  // namespace sluice::property
