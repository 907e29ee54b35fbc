// Two switches and the cable between them, whose ends go by credit or by PFC and turn from one to
// the other at any time, with what stands in their buffers and is on the wire by then:
//   never       a lossless frame finds no room, or overtakes another
//   in the end  once nothing is lost any more and LLDP says what is so, all come through, long
//               before a hold ends by itself
// Updates of credit are lost and LLDP is late; hosts take what comes slowly, and stop where they
// are paused; links go and come.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "dataplane/credits/credit_buffer.h"
#include "tests/property/draw.h"
#include "tests/support/lossless.h"

namespace sluice::property {
namespace {

using namespace literals;
using test::Octets;
using test::Rig;

constexpr PortIndex host = 0;
constexpr PortIndex cable = 1;
constexpr Nanos turn = 10_us;
constexpr std::size_t a_turn = 4;  // frames that a wire takes
constexpr std::size_t number_at = 20;
constexpr Bytes cell{256};
constexpr int64_t largest_buffer = 24;  // of credit, in cells

struct Sent {
    Nanos arrives;
    Octets octets;
};

struct End {
    Settings settings;
    std::unique_ptr<Rig> rig;
    std::deque<Sent> wire;    // to the other
    uint32_t next = 1;        // what its host sends
    uint32_t last_taken = 0;  // what its host took
    uint64_t taken = 0;
    MacAddress here;  // its host, and the other's
    MacAddress there;
};

class Pair {
  public:
    Pair()
        : delay_(turn * between<int64_t>(1, 20)),
          xoff_(cell * between<int64_t>(0, 16)),
          trouble_(between<int>(0, 30)) {
        for (const std::size_t which : {0U, 1U}) {
            End& end = ends_[which];
            end.here = test::station(static_cast<unsigned>(which));
            end.there = test::station(static_cast<unsigned>(1 - which));
            end.settings = settings(end);
            configure(end, between<int>(0, 3) > 0);
        }
        for (End& end : ends_) start(end);
    }

    // A turn of both, and perhaps something that happens.
    void step() {
        if (between<int>(0, 20) == 0) happen(ends_[between<std::size_t>(0, 1)]);
        for (End& end : ends_) {
            if (between<int>(0, 2) > 0) send(end, between<std::size_t>(0, 2 * a_turn));
            take_turn(end, between<std::size_t>(0, a_turn), trouble_);
        }
        now_ = now_ + turn;
    }
    void come_to_rest() {
        for (End& end : ends_) set_links(end, true);
        for (int turns = 0; turns < 3000; ++turns) {
            for (End& end : ends_) {
                receive_lldp(end);
                take_turn(end, a_turn, 0);
            }
            now_ = now_ + turn;
        }
        for (const End& end : ends_) {
            RC_ASSERT(end.rig->at_rest());
            if (!has_lost_) RC_ASSERT(end.taken == other(end).next - 1);
        }
    }

  private:
    [[nodiscard]] Settings settings(const End& end) const {
        Settings settings = test::lossless_settings();
        settings.fdb.static_entries = {{.vlan = 1, .address = end.here, .port = host},
                                       {.vlan = 1, .address = end.there, .port = cable}};
        PortSettings& port = settings.ports[cable];
        port.address = {uint64_t{0x0200'0000'0300} + end.here.bits};
        // Turns in both directions, and the delay of each end.
        const int64_t under_way = 2 * (delay_.count() / turn.count() + 2);
        port.pfc.headroom = cell * (under_way * static_cast<int64_t>(a_turn));
        port.pfc.xoff = xoff_;
        port.pfc.xon = xoff_ / 2;
        port.pfc.pause = Quanta(65535);
        port.pfc.reserved = credit_reserve_for(
            cell * largest_buffer, {.longest = cell, .cell = cell}, Bytes(0), port.pfc.headroom);
        settings.buffer.size = Bytes(1024 * 1024);
        return settings;
    }
    static void configure(End& end, bool by_credit) {
        PortSettings& port = end.settings.ports[cable];
        port.flow_control = by_credit ? FlowControl::credit : FlowControl::pfc;
        port.credit = {.buffer = cell * between<int64_t>(3, largest_buffer),
                       .quantum = cell * between<int64_t>(1, 2),
                       .refresh = 50_us * between<int64_t>(1, 4)};
    }
    [[nodiscard]] static bool goes_by_credit(const End& end) {
        return end.settings.ports[cable].flow_control == FlowControl::credit;
    }
    const End& other(const End& end) const { return &end == &ends_[0] ? ends_[1] : ends_[0]; }
    End& other(const End& end) { return &end == &ends_[0] ? ends_[1] : ends_[0]; }

    void start(End& end) {
        end.rig = std::make_unique<Rig>(end.settings);
        end.rig->now = now_;
        end.rig->ports.on_sent = [this, &end](PortIndex output, const Frame& frame) {
            Octets octets(frame.data, frame.data + frame.length);
            output == cable ? put(end, std::move(octets)) : take(end, octets);
        };
        end.rig->ports.on_generated = [this, &end](PortIndex output,
                                                   std::span<const uint8_t> octets) {
            const bool may_be_lost = read_credit_update(octets).has_value();
            if (output != cable || (may_be_lost && between<int>(0, 99) < lost_of_100_)) return;
            put(end, {octets.begin(), octets.end()});
        };
        receive_lldp(end);
    }
    void receive_lldp(End& end) const {
        const CreditPeer peer = goes_by_credit(other(end)) ? CreditPeer::able : CreditPeer::unable;
        end.rig->dataplane.set_credit_peer(cable, peer, test::three);
    }
    static void set_links(End& end, bool up) { end.rig->dataplane.set_link(cable, up); }

    void happen(End& end) {
        switch (between<int>(0, 5)) {
            case 0:
            case 1:
                configure(end, !goes_by_credit(end));
                return end.rig->adopt(end.settings);
            case 2:
                configure(end, goes_by_credit(end));
                return end.rig->adopt(end.settings);
            case 3:
                return receive_lldp(end);
            case 4:
                return lose_link();
            default:
                return;
        }
    }
    // Frames on the wire are lost, and frames that wait for it are dropped.
    void lose_link() {
        has_lost_ = true;
        for (End& end : ends_) {
            end.wire.clear();
            set_links(end, false);
            end.rig->housekeep();
            set_links(end, true);
        }
    }

    void send(End& end, std::size_t count) {
        const bool is_paused = end.rig->dataplane.ingress(host).pause_sender().pausing(3);
        if (is_paused || count == 0) return;
        std::vector<Octets> burst;
        for (; count > 0; --count) {
            Octets octets = test::octets_of(
                {.to = end.there, .from = end.here, .tag = test::Tag{.vlan = 0, .pcp = 3}});
            write_32(&octets[number_at], end.next++);
            burst.push_back(std::move(octets));
        }
        end.rig->ports.arrive(host, std::move(burst));
    }
    void take(End& end, const Octets& octets) {
        const uint32_t number = read_32(&octets[number_at]);
        RC_ASSERT(number > end.last_taken);
        end.last_taken = number;
        ++end.taken;
    }
    void put(End& end, Octets octets) {
        octets.resize(std::max<std::size_t>(octets.size(), 60));
        end.wire.push_back({now_ + delay_, std::move(octets)});
    }
    void take_turn(End& end, std::size_t taken_by_host, int lost_of_100) {
        Rig& rig = *end.rig;
        rig.now = now_;
        rig.ports.room[host] = taken_by_host;
        rig.ports.room[cable] = a_turn;
        lost_of_100_ = lost_of_100;
        receive(end);
        rig.poll();
        for (const Drop why : {Drop::no_credit, Drop::headroom_overrun, Drop::over_threshold}) {
            RC_ASSERT(rig.drops(cable, why) == 0U);
            RC_ASSERT(rig.drops(host, why) == 0U);
        }
    }
    void receive(End& end) {
        std::vector<Octets> burst;
        std::deque<Sent>& wire = other(end).wire;
        for (; !wire.empty() && wire.front().arrives <= now_; wire.pop_front()) {
            burst.push_back(std::move(wire.front().octets));
        }
        end.rig->ports.arrive(cable, std::move(burst));
    }

    Nanos now_ = 1_s;
    const Nanos delay_;
    const Bytes xoff_;
    const int trouble_;  // of 100 updates so many are lost
    int lost_of_100_ = 0;
    bool has_lost_ = false;
    std::array<End, 2> ends_;
};

RC_GTEST_PROP(CreditLink, LosesNothingWhateverItTurnsTo, ()) {
    Pair pair;
    for (auto steps = between<int>(0, 400); steps > 0; --steps) pair.step();
    pair.come_to_rest();
}

}  // namespace
}  // namespace sluice::property
