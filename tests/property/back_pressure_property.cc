// PFC by back-pressure (dataplane/pfc/queue_backpressure.h), whatever its peers do: how many they
// are, how fast they send and take, of which lengths, to how many outputs, by which queue, and
// whose clock the worker comes by:
//   nothing of a lossless priority is lost, and no frame of a queue overtakes another
//   no pause frame is sent
//   where each priority comes by its own queue, no more than a burst stands in the headroom
//   what was put in comes out, once everybody takes what there is
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "dataplane/ledger.h"
#include "tests/property/draw.h"
#include "tests/support/lossless.h"
#include "tests/support/queue_wires.h"

namespace sluice::property {
namespace {

using namespace literals;

constexpr PrioritySet lossless = 0b0010'1001;  // 0, 3 and 5

class Switched {
  public:
    Switched(std::size_t ports, std::size_t burst, bool strays)
        : burst_(burst),
          strays_(strays),
          taken_(wide<int64_t>(0, 30)),
          longest_(one_of({1000_B, 9212_B})),
          settings_(settings(ports, burst, longest_)),
          wires_(ports, wide<std::size_t>(1, 100)),
          dataplane_(settings_),
          poll_(dataplane_, dataplane_.shard(0), wires_, burst) {
        for (PortIndex port = 0; port < ports; ++port) dataplane_.set_link(port, true);
    }

    void round() {
        const auto ports = dataplane_.port_count();
        for (PortIndex port = 0; port < ports; ++port) {
            for (auto more = wide<unsigned>(0, 40); more > 0; --more) send(port);
            take(port, wide<Priority>(0, 7), wide<std::size_t>(0, taken_));
        }
        poll();
    }
    void drain() {
        for (int polls = 0; polls < 20'000 && arrived_ + dropped() < put_; ++polls) {
            for (PortIndex port = 0; port < dataplane_.port_count(); ++port) {
                for (Priority queue = 0; queue < max_priorities; ++queue) take(port, queue, 1000);
            }
            poll();
        }
    }
    void check() const {
        RC_ASSERT(wires_.pauses_sent == 0U);
        for (PortIndex port = 0; port < dataplane_.port_count(); ++port) {
            const DropCounters& drops = dataplane_.counters(port).drops;
            RC_ASSERT(drops.of(Drop::headroom_overrun) == 0U);
            if (strays_) continue;
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                const uint64_t used = dataplane_.ingress(port).group(priority).headroom_max();
                RC_ASSERT(used <= static_cast<uint64_t>(burst_charge().count()));
            }
        }
    }
    void check_end() const {
        RC_ASSERT(arrived_ + dropped() == put_);
        RC_ASSERT(lost_lossless() == 0U);
        RC_ASSERT(ledger_of(dataplane_).balanced());
        for (PortIndex port = 0; port < dataplane_.port_count(); ++port) {
            RC_ASSERT(dataplane_.ingress(port).pause_sender().pausing() == 0);
        }
    }

  private:
    static Settings settings(std::size_t ports, std::size_t burst, Bytes longest) {
        Settings settings = test::settings_of(ports);
        settings.fabric.bypass = wide<int>(0, 1) == 1;
        const Bytes cell = settings.buffer.cell;
        const int64_t cells =
            (longest + Bytes(tag_octets) + cell - Bytes(1)).count() / cell.count();
        const Bytes charge = cell * cells * static_cast<int64_t>(burst);
        for (PortSettings& port : settings.ports) {
            port.max_frame = longest;
            port.pfc = {.lossless = lossless,
                        .by = PfcBy::queues,
                        .xoff = Bytes(wide<int64_t>(256, 64 * 1024)),
                        .xon = Bytes(wide<int64_t>(0, 256)),
                        .headroom = charge + charge};
        }
        settings.buffer.size = Bytes(0);
        settings.buffer.size = Bytes(wide<int64_t>(16, 256)) * 1024 - shared_size(settings);
        return settings;
    }
    [[nodiscard]] Bytes burst_charge() const {
        return dataplane_.pool().charge(longest_ + Bytes(tag_octets)) *
               static_cast<int64_t>(burst_);
    }
    void send(PortIndex from) {
        // Most to port 0.
        const auto last = static_cast<int64_t>(dataplane_.port_count()) - 1;
        const auto to = wide<PortIndex>(0, last * wide<int>(0, 1));
        if (to == from) return;
        const auto priority = wide<Priority>(0, 7);
        const Priority queue = strays_ ? wide<Priority>(0, 7) : priority;
        test::FrameSpec spec = test::to(to, priority, from);
        spec.length = wide<std::size_t>(60, longest_.count());
        if (!wires_.put(from, queue, spec, next_)) return;
        sent_[next_++] = {from, queue, priority};
        ++put_;
    }
    void take(PortIndex port, Priority queue, std::size_t most) {
        for (const auto& frame : wires_.take(port, queue, most)) {
            const Sent& sent = sent_.at(frame.number);
            RC_ASSERT(frame.priority == sent.priority);
            // Frames stay in order by input and by the queue that they came by.
            auto [last, is_first] = last_.try_emplace(
                std::pair(std::pair(sent.from, port), std::pair(sent.queue, sent.priority)),
                frame.number);
            RC_ASSERT(is_first || last->second < frame.number);
            last->second = frame.number;
            ++arrived_;
            if ((lossless & only_priority(sent.priority)) != 0) ++arrived_lossless_;
        }
    }
    void poll() {
        now_ += Nanos(wide<int64_t>(100, 100'000));
        poll_(now_, wide<int>(1, 16));
        check();
    }
    [[nodiscard]] uint64_t dropped() const {
        uint64_t sum = 0;
        for (PortIndex port = 0; port < dataplane_.port_count(); ++port) {
            sum += dataplane_.counters(port).drops.of(Drop::over_threshold);
        }
        return sum;
    }
    [[nodiscard]] uint64_t lost_lossless() const {
        uint64_t put = 0;
        for (const auto& [number, sent] : sent_) {
            if ((lossless & only_priority(sent.priority)) != 0) ++put;
        }
        return put - arrived_lossless_;
    }

    struct Sent {
        PortIndex from;
        Priority queue;
        Priority priority;
    };
    using Way = std::pair<std::pair<PortIndex, PortIndex>, std::pair<Priority, Priority>>;

    const std::size_t burst_;
    const bool strays_;
    const int64_t taken_;  // at a time, at the most
    const Bytes longest_;
    const Settings settings_;
    test::QueueWires wires_;
    Switch dataplane_;
    Poll<test::QueueWires> poll_;
    Nanos now_ = 1_s;
    uint32_t next_ = 0;
    uint64_t put_ = 0;
    uint64_t arrived_ = 0;
    uint64_t arrived_lossless_ = 0;
    std::map<uint32_t, Sent> sent_;
    std::map<Way, uint32_t> last_;
};

void run(bool strays) {
    Switched switched(wide<std::size_t>(2, 5), wide<std::size_t>(1, max_burst), strays);
    for (auto rounds = wide<int>(1, 60); rounds > 0; --rounds) switched.round();
    switched.drain();
    switched.check_end();
}

RC_GTEST_PROP(BackPressure, LosesNothingAndSendsNoPause, ()) { run(false); }

// The peer puts frames into queues of other priorities as well.
RC_GTEST_PROP(BackPressure, LosesNothingWhateverQueueAFrameComesBy, ()) { run(true); }

}  // namespace
}  // namespace sluice::property
