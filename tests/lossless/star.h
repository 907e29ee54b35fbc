// Star: one switch with a host at each port, all by the same cable, and what must hold for it.
//
// Priority 3 is lossless, with the headroom that dataplane/buffer/headroom.h computes for the cable
// and for the slowest response that a peer is allowed.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "dataplane/buffer/headroom.h"
#include "dataplane/ledger.h"
#include "tests/support/rig.h"
#include "tools/sim/network/host.h"
#include "tools/sim/network/network.h"
#include "tools/sim/network/switch_node.h"

namespace sluice::test {

using namespace sim;

inline constexpr Priority lossy = 0;
inline constexpr Priority lossless = 3;

struct StarSpec {
    std::size_t hosts = 2;
    Cable cable;
    Nanos response{0};  // the slowest
    Bytes cell{256};
    Bytes max_frame{PortSettings{}.max_frame};
    Bytes pool{256 * 1024};  // shared, beside what is set aside
    Bytes xoff{32 * 1024};
    Bytes xon{16 * 1024};
    Bytes less_headroom{0};  // than is computed
};

inline HeadroomNeeds needs_of(const StarSpec& spec, Bytes max_frame) {
    const HeadroomNeeds link{.speed = spec.cable.speed,
                             .cable_millimetres = spec.cable.millimetres,
                             .mtu = max_frame,
                             .port_mtu = max_frame,
                             .response = spec.response};
    return in_cells(link, spec.cell);
}

inline Settings settings_of(const StarSpec& spec) {
    Settings settings = settings_of(spec.hosts);
    settings.buffer.cell = spec.cell;
    settings.fabric.quantum = std::max(settings.fabric.quantum, spec.max_frame);
    for (PortSettings& port : settings.ports) {
        port.speed = spec.cable.speed;
        port.max_frame = spec.max_frame;
        port.pfc.lossless = only_priority(lossless);
        port.pfc.xoff = spec.xoff;
        port.pfc.xon = spec.xon;
        port.pfc.headroom = headroom_for(needs_of(spec, port.max_frame)) - spec.less_headroom;
    }
    settings.buffer.size = Bytes(0);
    settings.buffer.size = spec.pool - shared_size(settings);
    return settings;
}

class Star {
  public:
    explicit Star(const StarSpec& spec) : Star(spec, settings_of(spec)) {}
    Star(const StarSpec& spec, const Settings& settings) : node(network, settings) {
        for (PortIndex port = 0; port < spec.hosts; ++port) {
            // Nobody sends to the address that a host sends from: where a port leads is static.
            hosts_.push_back(
                std::make_unique<Host>(network, station(100U + port), spec.cable.speed));
            connect(*hosts_.back(), node.port(port), spec.cable);
            host(port).sender.set_response(spec.response);
        }
    }

    [[nodiscard]] Host& host(PortIndex port) { return *hosts_[port]; }
    void add_flow(PortIndex from, PortIndex to, Priority priority, Mix mix) {
        add_flow(from, sim::Flow{.to = station(to), .priority = priority, .mix = mix});
    }
    void add_flow(PortIndex from, const sim::Flow& flow) { host(from).sender.add(flow, flows_++); }
    void start() {
        for (const auto& each : hosts_) each->look();
    }
    // No more frames, then until the last has arrived.
    void drain() {
        for (const auto& each : hosts_) each->set_rate(BitsPerSecond(0));
        EXPECT_TRUE(network.run_until([this] { return network.packets().out() == 0; },
                                      Nanos(60'000'000'000), Nanos(10'000)))
            << network.packets().out() << " frames never arrive";
    }

    [[nodiscard]] uint64_t sent(Priority priority) const {
        uint64_t frames = 0;
        for (const auto& each : hosts_) frames += each->sender.sent(priority);
        return frames;
    }
    [[nodiscard]] uint64_t received(Priority priority) const {
        uint64_t frames = 0;
        for (const auto& each : hosts_) frames += each->sink.received(priority);
        return frames;
    }
    // The most that any port's headroom ever held.
    [[nodiscard]] Bytes headroom_used_max() const {
        uint64_t most = 0;
        for (PortIndex port = 0; port < hosts_.size(); ++port) {
            most = std::max(most, node.dataplane().ingress(port).group(lossless).headroom_max());
        }
        return Bytes(static_cast<int64_t>(most));
    }
    // What the pool held beyond its size; each group may add the frame that reaches XOFF.
    [[nodiscard]] Bytes pool_overdrawn() const {
        const SharedBuffer& pool = node.dataplane().pool();
        return Bytes(static_cast<int64_t>(pool.shards()[0].max_used())) - pool.size();
    }
    [[nodiscard]] Bytes longest_charge() const {
        return node.dataplane().pool().charge(node.settings.ports[0].max_frame);
    }
    [[nodiscard]] Bytes headroom() const { return node.settings.ports[0].pfc.headroom; }

    // Each frame of the lossless priority arrived, in order.
    [[nodiscard]] testing::AssertionResult lost_nothing_lossless() const {
        const uint64_t overrun = node.drops(Drop::headroom_overrun);
        if (overrun > 0) {
            return testing::AssertionFailure()
                   << overrun << " frames overran the headroom of " << headroom().count();
        }
        if (sent(lossless) != received(lossless)) {
            return testing::AssertionFailure()
                   << sent(lossless) << " sent, " << received(lossless) << " received";
        }
        for (const auto& each : hosts_) {
            if (each->sink.disordered() > 0) return testing::AssertionFailure() << "disorder";
        }
        return testing::AssertionSuccess();
    }
    // Nothing at all was lost.
    [[nodiscard]] testing::AssertionResult lost_nothing() const {
        if (node.dropped_in_all() > 0) {
            return testing::AssertionFailure() << node.dropped_in_all() << " frames dropped";
        }
        for (const auto& each : hosts_) {
            if (each->sink.missing() > 0) return testing::AssertionFailure() << "a gap in a flow";
        }
        return lost_nothing_lossless();
    }
    // Nothing waits, nothing leaked, and everything adds up.
    [[nodiscard]] testing::AssertionResult at_rest() {
        if (!node.dataplane().empty()) return testing::AssertionFailure() << "frames wait";
        if (network.packets().out() != 0) return testing::AssertionFailure() << "packets leaked";
        if (network.packets().given_twice() != 0) return testing::AssertionFailure() << "misused";
        if (node.dataplane().pool().used().count() != 0) {
            return testing::AssertionFailure() << "the pool is still charged";
        }
        if (!ledger_of(node.dataplane()).balanced()) {
            return testing::AssertionFailure() << "the ledger does not balance";
        }
        for (PortIndex port = 0; port < hosts_.size(); ++port) {
            const Ingress& ingress = node.dataplane().ingress(port);
            if (ingress.group(lossless).occupancy().count() != 0 ||
                ingress.pause_sender().pausing() != 0) {
                return testing::AssertionFailure() << "port " << int{port} << " still pauses";
            }
        }
        return testing::AssertionSuccess();
    }

    Network network;
    SwitchNode node;

  private:
    std::vector<std::unique_ptr<Host>> hosts_;
    uint16_t flows_ = 0;
};

}  // namespace sluice::test
