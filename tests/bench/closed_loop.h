// Closed loop: a switch of one worker whose ports lead to stations (stations.h) that send back what
// they get: frames go round for ever. Two figures: the dataplane alone, and with everything that a
// frame needs here, which includes both ends of the rings.
//
// A poll is the worker's (dataplane/poll.h), timed as one. On crossed rings what its ends of them
// take is taken off, so its I/O is apart; crossed lanes cost little, and reading the counter for
// each of 64 ports would cost more.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "dataplane/ipfix/queue_sampler.h"
#include "dataplane/ledger.h"
#include "dataplane/poll.h"
#include "dataplane/recorder/reel.h"
#include "dataplane/switch.h"
#include "pmd_glue/pool.h"
#include "tests/bench/bypass_share.h"
#include "tests/bench/crossed_rings.h"
#include "tests/bench/report.h"
#include "tests/bench/stations.h"

namespace sluice::bench {

struct LoopCase {
    std::size_t ports;
    std::size_t busy_ports = ports;  // the first; the others have link, and nobody sends
    std::size_t frames_a_port = 64;  // that go round, of each busy port
    StationFrames frames;
    bool pfc = false;        // every priority lossless
    bool underlays = false;  // to the dataplane every second port is a tunnel over that before
    bool relays = false;     // likewise, these two are the ends of a relay
    bool wred = false;       // every priority has a curve, which none reaches, that drops
    bool trim = false;       // what finds no room would be trimmed, and all does
    uint32_t fdb_capacity = FdbSettings{}.capacity;
    BufferSettings buffer;
    uint32_t latency_one_in = 0;
};

inline Settings settings_of(const LoopCase& with) {
    using namespace literals;
    Settings settings;
    settings.ports.resize(with.ports);
    settings.fdb.capacity = with.fdb_capacity;
    settings.buffer = with.buffer;
    settings.latency_one_in = with.latency_one_in;
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = with.pfc ? 0xFF : 0;
        port.pfc.headroom = Bytes(64 * 1024);
        port.format = with.frames.format;
        port.max_frame = std::max(port.max_frame, Bytes(with.frames.octets));
        if (with.wred) port.ecn.fill({.low = 8_MiB, .high = 16_MiB, .drop = true});
        if (with.trim) port.trim = {.priorities = 0x3F, .dscp = {}};
    }
    for (PortIndex port = 0; port < with.ports; ++port) {
        const auto other = static_cast<PortIndex>(port ^ 1);
        if (with.relays) settings.ports[port].pfc.relay = {.to = other, .priorities = 0xFF};
        if (with.underlays && other < port) settings.ports[port].underlay = other;
    }
    if (with.frames.format.learns) return settings;
    for (PortIndex port = 0; port < with.ports; ++port) {
        settings.fdb.static_entries.push_back(
            {.vlan = 1, .address = Stations::address(port), .port = port});
    }
    return settings;
}

// The switch's ends of the wires, as it polls them (dataplane/poll.h). `timed`: what they take is
// counted.
template <class Port, bool timed>
class LoopPorts {
  public:
    LoopPorts(std::vector<std::unique_ptr<Port>>& ports, pmd::Pool& pool)
        : ports_(ports), pool_(pool) {}

    [[nodiscard]] static InputSet ready() { return ~InputSet{0}; }
    [[nodiscard]] static PortSet writable() { return ~PortSet{0}; }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst) {
        return clocked([&] { return bursts_of(*ports_[from.port]).receive(burst); });
    }
    std::size_t transmit(PortIndex port, std::span<const Frame> burst) {
        const std::size_t taken = clocked([&] { return bursts_of(*ports_[port]).transmit(burst); });
        sent += taken;
        return taken;
    }
    static std::size_t edit_tags(PortIndex, std::span<Frame> frames, const pmd::Pool::Pcps&) {
        return frames.size();
    }
    static bool send(PortIndex, std::span<const uint8_t>) { std::exit(1); }  // nobody is crowded
    void release(Released& released) { pool_.apply(released); }
    void free(const Frame& frame) {
        void* handle = frame.handle;
        pool_.free({&handle, 1});
    }

    uint64_t sent = 0;
    uint64_t took = 0;  // cycles

  private:
    // Reading the counter is not the ports' work, nor the switch's: what an empty call takes is
    // counted as theirs.
    template <class Call>
    std::size_t clocked(Call call) {
        if constexpr (!timed) return call();
        const uint64_t start = cycles();
        const std::size_t count = call();
        took += cycles() - start + empty_call_;
        return count;
    }
    static uint64_t cost_of_an_empty_call() {
        return static_cast<uint64_t>(median_of(1001, [] {
            const uint64_t start = cycles();
            return static_cast<double>(cycles() - start);
        }));
    }

    std::vector<std::unique_ptr<Port>>& ports_;
    pmd::Pool& pool_;
    const uint64_t empty_call_ = cost_of_an_empty_call();
};

// `Wires`: CrossedRings or CrossedLanes.
template <class Wires>
class ClosedLoop {
  public:
    // `name`: unique in the process.
    ClosedLoop(pmd::Pool& pool, const LoopCase& with, const std::string& name)
        : wires_(name, with.ports, pool),
          switch_(std::make_unique<Switch>(settings_of(with))),
          stations_(keep(wires_.hosts, with.busy_ports), pool, with.frames),
          ports_(wires_.ports, pool),
          poll_(dataplane_, dataplane_.shard(0), ports_, burst_size) {
        for (PortIndex port = 0; port < with.ports; ++port) dataplane_.set_link(port, true);
        introduce();
        dropped_before_ = ledger_of(dataplane_).dropped;
        fill(with.frames_a_port);
        for (std::size_t warm = 0; warm < 80'000 / with.busy_ports; ++warm) poll();
    }
    // Cycles a frame of the dataplane, and with everything.
    struct Cost {
        double apart = 0;
        double with_io = 0;
    };
    Cost round(std::size_t polls) {
        ports_.sent = ports_.took = switch_cycles_ = 0;
        const uint64_t start = cycles();
        for (std::size_t poll_number = 0; poll_number < polls; ++poll_number) poll();
        const auto frames = static_cast<double>(ports_.sent);
        return {static_cast<double>(switch_cycles_ - ports_.took) / frames,
                static_cast<double>(cycles() - start) / frames};
    }
    // From now on every poll is a sample, of all ports and priorities; or none is.
    void record(bool is_on) {
        if (!reel_) {
            reel_ = std::make_unique<Reel>(RecorderSettings{.period = Nanos(1000)}, board_,
                                           dataplane_.input_count(), dataplane_.port_count());
        }
        dataplane_.reel_slot(0).give(is_on ? reel_.get() : nullptr);
    }
    // From now on all queues are sampled for IPFIX every fourth poll, which is some
    // 10 us of a busy core; or none is.
    void sample(bool is_on) {
        if (!sampler_) sampler_ = sampler_of_all();
        sampler_->take([](std::span<const uint64_t>) {});
        dataplane_.sampler_slot(0).give(is_on ? sampler_.get() : nullptr);
    }
    [[nodiscard]] double share_of_bypass() const { return bypass_share(dataplane_); }
    [[nodiscard]] uint64_t dropped() const {
        return ledger_of(dataplane_).dropped - dropped_before_;
    }

  private:
    static constexpr std::size_t burst_size = Stations::burst;
    static constexpr int slots = 8;
    static constexpr bool has_devices = std::is_same_v<Wires, CrossedRings>;
    using Port = typename Wires::Port;
    using Ports = std::vector<std::unique_ptr<Port>>;

    [[nodiscard]] std::unique_ptr<QueueSampler> sampler_of_all() const {
        QueueSampler::Wanted wanted;
        for (PortIndex port = 0; port < dataplane_.port_count(); ++port) {
            for (Priority priority = 0; priority < max_priorities; ++priority)
                wanted.queues.push_back({port, priority});
        }
        return std::make_unique<QueueSampler>(Nanos(4000), std::move(wanted),
                                              dataplane_.input_count(), 1024);
    }
    static Ports& keep(Ports& ports, std::size_t count) {
        ports.resize(count);
        return ports;
    }
    // So that the FDB knows all addresses, and nothing is flooded.
    void introduce() {
        for (PortIndex host = 0; host < stations_.count(); ++host) {
            for (std::size_t number = 0; number < stations_.addresses(); ++number) {
                stations_.send_itself(host, number);
                poll_switch();
            }
        }
    }
    // Nothing leaves before everything is in, so that what exceeds the bursts under way waits in
    // VOQs.
    void fill(std::size_t frames_a_port) {
        for (PortIndex port = 0; port < wires_.ports.size(); ++port)
            dataplane_.shard_of(port).block(port, 0xFF);
        for (std::size_t left = frames_a_port; left > 0;) {
            const std::size_t count = std::min(left, burst_size);
            for (PortIndex host = 0; host < stations_.count(); ++host) {
                stations_.send_new(host, count);
            }
            poll_switch();
            left -= count;
        }
        for (PortIndex port = 0; port < wires_.ports.size(); ++port)
            dataplane_.shard_of(port).block(port, 0);
    }

    void poll() {
        poll_switch();
        for (PortIndex host = 0; host < stations_.count(); ++host) stations_.send_back(host);
    }
    void poll_switch() {
        now_ += Nanos(1000);
        const uint64_t start = cycles();
        poll_(now_, slots);
        switch_cycles_ += cycles() - start;
    }

    Wires wires_;
    std::unique_ptr<Switch> switch_;  // made by `new`, as sluiced does
    Switch& dataplane_ = *switch_;
    TriggerBoard board_{1};
    std::unique_ptr<Reel> reel_;
    std::unique_ptr<QueueSampler> sampler_;
    StationsOn<Port> stations_;
    LoopPorts<Port, has_devices> ports_;
    Poll<LoopPorts<Port, has_devices>> poll_;
    Nanos now_{1};
    uint64_t switch_cycles_ = 0;
    uint64_t dropped_before_ = 0;
};

}  // namespace sluice::bench
