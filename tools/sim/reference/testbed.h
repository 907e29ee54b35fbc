// Testbed: builds the switches, hosts and cables of a figure one by one in virtual time.
//
// Hosts are numbered in the order in which they are added; a switch has a static entry for each
// host. A figure reads its measurements from the switches and hosts.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dataplane/buffer/dynamic_threshold.h"
#include "dataplane/types/settings.h"
#include "tools/sim/network/host.h"
#include "tools/sim/network/network.h"
#include "tools/sim/network/switch_node.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

inline constexpr Priority lossless = 3;
inline constexpr Priority lossy = 0;

inline Settings ports_of(std::size_t count, BitsPerSecond speed) {
    Settings settings;
    settings.ports.resize(count);
    for (PortIndex port = 0; port < count; ++port) {
        settings.ports[port].speed = speed;
        settings.ports[port].address = {uint64_t{0x0200'0200'0000} + port};
    }
    settings.fabric.quantum = Bytes(1522);  // few frames wait after the VOQs
    return settings;
}

struct Levels {
    Bytes xoff;
    Bytes xon;
    Bytes headroom;
};

inline void make_lossless(Settings& settings, const Levels& levels) {
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = only_priority(lossless);
        port.pfc.xoff = levels.xoff;
        port.pfc.xon = levels.xon;
        port.pfc.headroom = levels.headroom;
        port.pfc.watchdog.action = WatchdogAction::off;
    }
}

// Sets the buffer's size so that `pool` is shared, in addition to reserved buffers. Call it last.
inline void set_pool(Settings& settings, Bytes pool) {
    settings.buffer.size = Bytes(0);
    settings.buffer.size = pool - shared_size(settings);
}

inline Mix frames_of(Bytes length) { return {length.count(), length.count()}; }

class Testbed {
  public:
    // Adds a switch whose port `ways[n]` leads to host n.
    SwitchNode& add_switch(Settings settings, const std::vector<PortIndex>& ways) {
        for (std::size_t host = 0; host < ways.size(); ++host) {
            settings.fdb.static_entries.push_back(
                {.address = address_of(host), .port = ways[host]});
        }
        return *nodes_.emplace_back(std::make_unique<SwitchNode>(network, settings));
    }
    Host& add_host(const Cable& cable) {
        return *hosts_.emplace_back(
            std::make_unique<Host>(network, source_of(hosts_.size()), cable.speed));
    }
    Host& add_host(Port& at, const Cable& cable) {
        Host& host = add_host(cable);
        connect(host, at, cable);
        return host;
    }
    void add_flow(std::size_t from, std::size_t to, Flow flow, uint64_t seed = 1) {
        flow.to = address_of(to);
        hosts_[from]->sender.add(flow, {{flow.to, flows_}}, seed + flows_);
        ++flows_;
    }

    void start() {
        for (const auto& host : hosts_) host->look();
    }
    // Stops all senders, and runs until the last frame has arrived, at most for a second.
    void drain() {
        for (const auto& host : hosts_) host->set_rate(BitsPerSecond(0));
        network.run_until([this] { return network.packets().out() == 0; }, Nanos(1'000'000'000));
    }
    // Runs for `span` while the host `by` keeps a priority paused.
    void run_held(Host& by, Priority priority, Nanos span) {
        const Picos end = network.now() + picos(span);
        const Nanos half = pause_time(Quanta(longest_pause), by.cable().speed) / 2;
        while (network.now() < end) {
            by.send_pause(priority, longest_pause);
            network.run_until(std::min(end, network.now() + picos(half)));
        }
    }

    [[nodiscard]] Host& host(std::size_t n) const { return *hosts_[n]; }
    [[nodiscard]] SwitchNode& node(std::size_t n) const { return *nodes_[n]; }
    [[nodiscard]] uint64_t dropped() const {
        uint64_t frames = 0;
        for (const auto& node : nodes_) frames += node->dropped_in_all();
        return frames;
    }
    // Returns the sum of the frames that were not received and of the frames out of order.
    [[nodiscard]] uint64_t missed(Priority priority) const {
        uint64_t sent = 0;
        uint64_t received = 0;
        uint64_t disordered = 0;
        for (const auto& host : hosts_) {
            sent += host->sender.sent(priority);
            received += host->sink.received(priority);
            disordered += host->sink.disordered();
        }
        return sent - received + disordered;
    }

    Network network;

  private:
    static constexpr uint16_t longest_pause = 0xFFFF;

    std::vector<std::unique_ptr<SwitchNode>> nodes_;
    std::vector<std::unique_ptr<Host>> hosts_;
    uint32_t flows_ = 0;
};

// Adds two switches with the same settings, linked at their ports 0. The first `near` hosts are at
// the first switch, the next `far` hosts at the second, from port 1 on; all have the same cable.
inline void add_pair(Testbed& bed, const Settings& settings, std::size_t near, std::size_t far,
                     const Cable& cable) {
    std::vector<PortIndex> first;
    std::vector<PortIndex> second;
    for (std::size_t n = 0; n < near + far; ++n) {
        const bool is_near = n < near;
        first.push_back(is_near ? static_cast<PortIndex>(1 + n) : PortIndex{0});
        second.push_back(is_near ? PortIndex{0} : static_cast<PortIndex>(1 + n - near));
    }
    SwitchNode& one = bed.add_switch(settings, first);
    SwitchNode& other = bed.add_switch(settings, second);
    for (std::size_t n = 0; n < near + far; ++n) {
        bed.add_host(n < near ? one.port(first[n]) : other.port(second[n]), cable);
    }
    connect(one.port(0), other.port(0), cable);
}

}  // namespace sluice::sim
