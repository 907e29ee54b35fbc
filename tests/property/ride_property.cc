// Random rides: any sequence of bursts, slots, refusals, pauses, link losses and changes of
// settings, on any switch. Whatever happens:
//   order     frames of one (input, output, priority) leave in the order in which they came, where
//             each lane of a port is an input
//   ledger    every frame that entered has left, waits, or was dropped by name
//   buffers   each handle is freed or transmitted exactly as often as it has references, and once
//             nothing waits, nothing is charged
//   liveness  once links are up and pauses over, everything drains, and no peer stays paused
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "tests/property/draw.h"

namespace sluice::property {
namespace {

using namespace literals;

enum class Step : uint8_t {
    receive,
    slot,
    one_worker,
    transmit,
    receive_pause,
    send_pause,
    wait,
    housekeep,
    flip_link,
    change_settings,
    flush_fdb,
};

rc::Gen<Step> steps() {
    return rc::gen::weightedElement<Step>({{30, Step::receive},
                                           {30, Step::slot},
                                           {20, Step::one_worker},
                                           {30, Step::transmit},
                                           {6, Step::receive_pause},
                                           {6, Step::send_pause},
                                           {6, Step::wait},
                                           {6, Step::housekeep},
                                           {3, Step::flip_link},
                                           {2, Step::change_settings},
                                           {1, Step::flush_fdb}});
}

class Ride {
  public:
    explicit Ride(const Settings& settings) : rig_(settings) {
        rig_.ports.on_sent = [this](PortIndex output, const Frame& frame) {
            const auto number = static_cast<test::Buffer*>(frame.handle)->number;
            const PortIndex input = came_by_[number];
            if (frame.input != rig_.dataplane.port_of(input)) in_order_ = false;
            const auto flow = std::tuple(input, output, frame.priority);
            const auto last = last_of_.find(flow);
            if (last != last_of_.end() && last->second >= number) in_order_ = false;
            last_of_[flow] = number;
        };
    }

    void take(Step step) {
        const auto ports = static_cast<int64_t>(rig_.dataplane.port_count());
        const auto inputs = static_cast<int64_t>(rig_.dataplane.input_count());
        const auto port = between<PortIndex>(0, ports - 1);
        switch (step) {
            case Step::receive:
                return receive(between<PortIndex>(0, inputs - 1));
            case Step::slot:
                rig_.slot();
                return;
            case Step::one_worker:
                return move_alone(between<WorkerIndex>(0, rig_.settings.workers - 1));
            case Step::transmit:
                rig_.transmit(port, between<std::size_t>(0, 64), between<std::size_t>(0, 64));
                return;
            case Step::receive_pause:
                return receive_pause(between<PortIndex>(0, inputs - 1));
            case Step::send_pause:
                rig_.send_pause_frame(port);
                return;
            case Step::wait:
                rig_.now += one_of({100_ns, 10_us, 1_ms, 200_ms});
                return;
            case Step::housekeep:
                rig_.housekeep();
                return;
            case Step::flip_link:
                rig_.dataplane.set_link(port, !rig_.dataplane.link(port));
                return;
            case Step::change_settings: {
                Settings settings = rig_.settings;
                draw_changeable(settings);
                draw_reactions(settings);
                rig_.adopt(settings);
                return;
            }
            case Step::flush_fdb:
                rig_.dataplane.flush_fdb();
                rig_.dataplane.flush_fdb_vlan(between<VlanId>(1, 3));
                return;
        }
    }
    // With one thread a ledger read between two steps must balance, once mailboxes between workers
    // were collected. They are not collected after each step, so that workers find many frames, or
    // are late.
    void check() {
        RC_ASSERT(in_order_);
        if (between<int>(0, 3) > 0) return;
        rig_.collect();
        RC_ASSERT(ledger_of(rig_.dataplane).balanced());
        RC_ASSERT(rig_.dataplane.pool().used() >= 0_B);
    }
    // Links come up, pauses end, and everything that waits leaves.
    void finish() {
        for (PortIndex port = 0; port < rig_.dataplane.port_count(); ++port) {
            rig_.dataplane.set_link(port, true);
        }
        for (int poll = 0; poll < 5000 && !rig_.dataplane.empty(); ++poll) {
            rig_.now += 10_ms;
            let_outputs_decide();
            rig_.poll();
        }
        let_outputs_decide();
        RC_ASSERT(in_order_);
        RC_ASSERT(rig_.at_rest());
        for (PortIndex port = 0; port < rig_.dataplane.port_count(); ++port) {
            RC_ASSERT(rig_.dataplane.ingress(port).pause_sender().pausing() == 0);
        }
        for (PortIndex input = 0; input < rig_.dataplane.input_count(); ++input) {
            const Ingress& ingress = rig_.dataplane.ingress(input);
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                RC_ASSERT(ingress.group(priority).occupancy() == 0_B);
            }
        }
    }
    [[nodiscard]] const test::Rig& rig() const { return rig_; }
    [[nodiscard]] bool saw(Drop reason) const {
        for (PortIndex port = 0; port < rig_.dataplane.port_count(); ++port) {
            if (rig_.drops(port, reason) > 0) return true;
        }
        return false;
    }

  private:
    // Parts of a poll, at other times. With one worker they never run before it has carried out its
    // grants (poll.h).
    void move_alone(WorkerIndex worker) {
        if (rig_.settings.workers == 1) return static_cast<void>(rig_.slot());
        Shard& shard = rig_.dataplane.shard(worker);
        switch (between<int>(0, 2)) {
            case 0:
                shard.match();
                return;
            case 1:
                return shard.transfer();
            default:
                return shard.collect();
        }
    }
    // More than once: an input may be asked before an output that it feeds has decided, and a port
    // before a lane of another worker has withdrawn its request.
    void let_outputs_decide() {
        for (int round = 0; round < 3; ++round) {
            for (PortIndex port = 0; port < rig_.dataplane.port_count(); ++port) {
                rig_.send_pause_frame(port);
            }
            rig_.housekeep();
        }
    }
    void give(PortIndex input, std::vector<test::Octets> burst) {
        came_by_.insert(came_by_.end(), burst.size(), input);
        rig_.receive(input, std::move(burst));
    }
    void receive(PortIndex input) {
        std::vector<test::Octets> burst(between<std::size_t>(1, 16));
        for (test::Octets& octets : burst) octets = draw_frame(rig_.dataplane.port_count());
        // A full burst of copies, so that queues fill.
        const std::size_t distinct = burst.size();
        while (burst.size() < max_burst && between<int>(0, 9) < 9) {
            burst.push_back(burst[burst.size() % distinct]);
        }
        give(input, std::move(burst));
    }
    void receive_pause(PortIndex input) {
        PauseFrame pause;
        pause.enabled = between<PrioritySet>(0, 255);
        for (uint16_t& time : pause.time) time = one_of<uint16_t>({0, 10, 1000, 65535});
        std::array<uint8_t, pause_frame_octets> octets;
        write_pause_frame(octets, test::station(input), pause);
        give(input, {test::Octets(octets.begin(), octets.end())});
    }

    test::Rig rig_;
    std::vector<PortIndex> came_by_;  // by number
    std::map<std::tuple<PortIndex, PortIndex, Priority>, uint32_t> last_of_;
    bool in_order_ = true;
};

RC_GTEST_PROP(Ride, KeepsOrderLedgerAndBuffers, ()) {
    Settings settings = draw_settings();
    draw_reactions(settings);
    Ride ride(settings);
    const auto taken = *rc::gen::resize(300, rc::gen::container<std::vector<Step>>(steps()));
    for (const Step step : taken) {
        ride.take(step);
        ride.check();
    }
    ride.finish();
    RC_CLASSIFY(ledger_of(ride.rig().dataplane).dropped > 0, "with drops");
    RC_CLASSIFY(ledger_of(ride.rig().dataplane).generated > 0, "with pauses sent");
    RC_CLASSIFY(ride.saw(Drop::pfc_storm), "with storms");
}

// The end of a program: whatever waits, flush releases all of it.
RC_GTEST_PROP(Ride, MayEndAtAnyTime, ()) {
    Ride ride(draw_settings());
    const auto taken = *rc::gen::resize(100, rc::gen::container<std::vector<Step>>(steps()));
    for (const Step step : taken) ride.take(step);
    auto& rig = const_cast<test::Rig&>(ride.rig());
    for (int round = 0; round < 3; ++round) {
        for (WorkerIndex worker = 0; worker < rig.settings.workers; ++worker) {
            rig.dataplane.shard(worker).transfer();
        }
        rig.collect();
        rig.flush();
    }
    RC_ASSERT(rig.at_rest());
}

}  // namespace
}  // namespace sluice::property
