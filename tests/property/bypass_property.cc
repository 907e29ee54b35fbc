// Bypass: a switch whose frames go past VOQs beside one whose frames all take theirs, on the same
// ride. With a buffer that is short of nothing:
//   frames   the same leave, each (input, output, priority) in the same order, and the same are
//            dropped by the same names
// With levels that are soon reached:
//   pauses   a burst that would reach XOFF if all of it waited pauses its peer, as it did before
// Not the same: who comes first of several inputs, and how much stands in VOQs between polls. What
// bypasses is charged to nobody, so a plain switch may pause or drop where bursts of several inputs
// meet in one poll and this one does not.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <tuple>
#include <vector>

#include "tests/property/draw.h"
#include "tests/support/lossless.h"

namespace sluice::property {
namespace {

using namespace literals;

struct Event {
    enum class Kind : uint8_t { receive, poll, transmit, wait };
    Kind kind;
    PortIndex port = 0;
    std::size_t frames = 0;
    std::vector<test::Octets> burst;
};

Event draw_event(int64_t ports) {
    Event event{.kind = one_of({Event::Kind::receive, Event::Kind::receive, Event::Kind::poll,
                                Event::Kind::transmit, Event::Kind::wait}),
                .port = between<PortIndex>(0, ports - 1)};
    if (event.kind == Event::Kind::transmit) event.frames = between<std::size_t>(0, max_burst);
    if (event.kind != Event::Kind::receive) return event;
    event.burst.resize(between<std::size_t>(1, 8));
    for (test::Octets& octets : event.burst) {
        octets = draw_frame(static_cast<std::size_t>(ports));
    }
    const std::size_t distinct = event.burst.size();
    const auto length = between<std::size_t>(static_cast<int64_t>(distinct), max_burst);
    while (event.burst.size() < length) {
        event.burst.push_back(event.burst[event.burst.size() % distinct]);
    }
    return event;
}

// What left, by number of arrival, of each (input, output, priority).
using Flows = std::map<std::tuple<PortIndex, PortIndex, Priority>, std::vector<uint32_t>>;

uint64_t bypassed_of(const test::Rig& rig) {
    uint64_t frames = 0;
    for (PortIndex input = 0; input < rig.dataplane.input_count(); ++input) {
        for (PortIndex output = 0; output < rig.dataplane.port_count(); ++output) {
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                frames += rig.dataplane.ingress(input).bypassed({output, priority});
            }
        }
    }
    return frames;
}

class Side {
  public:
    Side(Settings settings, bool bypass) : rig_(with(std::move(settings), bypass)) {
        rig_.ports.on_sent = [this](PortIndex output, const Frame& frame) {
            const auto number = static_cast<test::Buffer*>(frame.handle)->number;
            flows_[{frame.input, output, frame.priority}].push_back(number);
        };
    }
    void take(const Event& event) {
        switch (event.kind) {
            case Event::Kind::receive:
                rig_.receive(event.port, event.burst);
                return;
            case Event::Kind::poll:
                rig_.poll();
                return;
            case Event::Kind::transmit:
                rig_.transmit(event.port, event.frames);
                return;
            case Event::Kind::wait:
                rig_.now += 10_us;
                return;
        }
    }
    void finish() {
        for (int poll = 0; poll < 1000 && !rig_.dataplane.empty(); ++poll) {
            rig_.now += 10_ms;
            rig_.poll();
        }
        RC_ASSERT(rig_.at_rest());
    }
    [[nodiscard]] const Flows& flows() const { return flows_; }
    [[nodiscard]] std::vector<uint64_t> drops() const {
        std::vector<uint64_t> all;
        for (PortIndex port = 0; port < rig_.dataplane.port_count(); ++port) {
            for (std::size_t why = 0; why < drop_reasons; ++why) {
                all.push_back(rig_.drops(port, static_cast<Drop>(why)));
            }
        }
        return all;
    }
    [[nodiscard]] uint64_t bypassed() const { return bypassed_of(rig_); }

  private:
    static Settings with(Settings settings, bool bypass) {
        settings.fabric.bypass = bypass;
        return settings;
    }
    test::Rig rig_;
    Flows flows_;
};

RC_GTEST_PROP(Bypass, SendsAndDropsWhatAPlainSwitchDoes, ()) {
    const auto ports = between<std::size_t>(2, 5);
    Settings settings = test::settings_of(ports, between<uint8_t>(1, 3));
    settings.buffer.size = 256_MiB;
    settings.fabric.quantum = one_of({1522_B, 4_KiB, 64_KiB});
    settings.fabric.algorithm = one_of({MatchingAlgorithm::islip, MatchingAlgorithm::serena});
    for (PortSettings& port : settings.ports) port.scheduler = draw_scheduler();
    Side plain(settings, false);
    Side bypass(settings, true);
    for (auto left = between<int>(1, 60); left > 0; --left) {
        const Event event = draw_event(static_cast<int64_t>(ports));
        plain.take(event);
        bypass.take(event);
    }
    plain.finish();
    bypass.finish();
    RC_ASSERT(plain.bypassed() == 0U);
    RC_ASSERT(plain.drops() == bypass.drops());
    RC_ASSERT(plain.flows() == bypass.flows());
    RC_CLASSIFY(bypass.bypassed() > 0, "with frames that bypass");
}

RC_GTEST_PROP(Bypass, PausesWhereABurstWouldReachXoff, ()) {
    const auto ports = between<std::size_t>(2, 4);
    Settings settings = test::lossless_settings(ports);
    settings.fabric.bypass = true;
    settings.buffer.cell = one_of({1_B, 256_B});
    test::Rig rig(settings);
    for (auto left = between<int>(1, 40); left > 0; --left) {
        const auto input = between<PortIndex>(0, static_cast<int64_t>(ports) - 1);
        const auto output = between<PortIndex>(0, static_cast<int64_t>(ports) - 1);
        if (input == output) {
            if (between<int>(0, 1) == 1)
                rig.dataplane.shard_of(output).block(output, between<PrioritySet>(0, 255));
            rig.poll();
            rig.send_pause_frame(input);
            continue;
        }
        const Ingress& ingress = rig.dataplane.ingress(input);
        const Bytes held = ingress.group(3).used();
        const auto count = between<std::size_t>(1, max_burst);
        test::FrameSpec spec = test::to(output, 3, input);
        spec.length = between<std::size_t>(60, 600);
        rig.receive(input, std::vector<test::Octets>(count, octets_of(spec)));
        const Bytes charge = rig.dataplane.pool().charge(Bytes(static_cast<int64_t>(spec.length)));
        const bool would_reach =
            held + charge * static_cast<int64_t>(count) >= settings.ports[input].pfc.xoff;
        if (would_reach) RC_ASSERT((ingress.pause_sender().pausing() & test::three) != 0);
    }
    RC_CLASSIFY(bypassed_of(rig) > 0, "with frames that bypass");
}

}  // namespace
}  // namespace sluice::property
