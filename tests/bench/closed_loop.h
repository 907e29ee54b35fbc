// Closed loop: a switch of one worker whose ports lead to stations (stations.h) that send back what
// they get: frames go round for ever. Two figures: the dataplane alone, and with everything that a
// frame needs here, which includes both ends of the rings.
//
// On crossed rings the dataplane is timed stage by stage, so its I/O is apart. On crossed lanes a
// poll of the switch is timed as one, with its ends of the lanes: they cost little, and reading the
// counter for each of 64 ports would cost more.
// A poll is as in pmd_glue/worker.h, with one turn of crossing and sending and one burst a port;
// silent ports are asked at each, and no pause is looked for between bursts.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "dataplane/ledger.h"
#include "dataplane/switch.h"
#include "pmd_glue/pool.h"
#include "tests/bench/crossed_rings.h"
#include "tests/bench/report.h"
#include "tests/bench/stations.h"

namespace sluice::bench {

struct LoopCase {
    std::size_t ports;
    std::size_t busy_ports = ports;  // the first; the others have link, and nobody sends
    std::size_t frames_a_port = 64;  // that go round, of each busy port
    StationFrames frames;
    bool pfc = false;  // every priority lossless
    uint32_t fdb_capacity = FdbSettings{}.capacity;
    BufferSettings buffer;
};

inline Settings settings_of(const LoopCase& with) {
    Settings settings;
    settings.ports.resize(with.ports);
    settings.fdb.capacity = with.fdb_capacity;
    settings.buffer = with.buffer;
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = with.pfc ? 0xFF : 0;
        port.pfc.headroom = Bytes(64 * 1024);
        port.format = with.frames.format;
        port.max_frame = std::max(port.max_frame, Bytes(with.frames.octets));
    }
    if (with.frames.format.learns) return settings;
    for (PortIndex port = 0; port < with.ports; ++port) {
        settings.fdb.static_entries.push_back(
            {.vlan = 1, .address = Stations::address(port), .port = port});
    }
    return settings;
}

// `Wires`: CrossedRings or CrossedLanes.
template <class Wires>
class ClosedLoop {
  public:
    // `name`: unique in the process.
    ClosedLoop(pmd::Pool& pool, const LoopCase& with, const std::string& name)
        : wires_(name, with.ports, pool),
          dataplane_(settings_of(with)),
          stations_(keep(wires_.hosts, with.busy_ports), pool, with.frames),
          pool_(pool) {
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
        frames_ = dataplane_cycles_ = 0;
        const uint64_t start = cycles();
        for (std::size_t poll_number = 0; poll_number < polls; ++poll_number) poll();
        const auto frames = static_cast<double>(frames_);
        return {static_cast<double>(dataplane_cycles_) / frames,
                static_cast<double>(cycles() - start) / frames};
    }
    [[nodiscard]] uint64_t dropped() const {
        return ledger_of(dataplane_).dropped - dropped_before_;
    }

  private:
    static constexpr std::size_t burst_size = Stations::burst;
    static constexpr bool has_devices = std::is_same_v<Wires, CrossedRings>;
    using Port = typename Wires::Port;
    using Ports = std::vector<std::unique_ptr<Port>>;

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
        for (PortIndex port = 0; port < wires_.ports.size(); ++port) dataplane_.hold(port, 0xFF);
        for (std::size_t left = frames_a_port; left > 0;) {
            const std::size_t count = std::min(left, burst_size);
            for (PortIndex host = 0; host < stations_.count(); ++host) {
                stations_.send_new(host, count);
            }
            poll_switch();
            left -= count;
        }
        for (PortIndex port = 0; port < wires_.ports.size(); ++port) dataplane_.hold(port, 0);
    }

    void poll() {
        poll_switch();
        for (PortIndex host = 0; host < stations_.count(); ++host) stations_.send_back(host);
    }
    void poll_switch() {
        if constexpr (has_devices) {
            walk();
        } else {
            timed([&] { walk(); });
        }
    }
    void walk() {
        now_ += Nanos(1000);
        std::array<Frame, burst_size> burst;
        for (PortIndex port = 0; port < wires_.ports.size(); ++port) {
            const std::size_t count = wires_.ports[port]->receive(burst);
            if (count == 0) continue;
            stage(
                [&] { dataplane_.receive(port, std::span(burst).first(count), now_, released_); });
            if (released_.freed_count + released_.shared_count > 0) pool_.apply(released_);
        }
        stage([&] {
            for (int slot = 0; slot < 8 && dataplane_.match() > 0; ++slot) dataplane_.transfer(0);
        });
        for_each_port(dataplane_.active(0), [&](PortIndex port) {
            std::size_t count = 0;
            stage([&] {
                std::array<uint8_t, pause_frame_octets> pause;
                if (dataplane_.pause_frame(port, pause, now_)) std::exit(1);  // nobody is crowded
                count = dataplane_.transmit(port, burst, now_);
            });
            if (count == 0) return;
            const auto out = std::span(burst).first(count);
            const std::size_t sent = wires_.ports[port]->transmit(out);
            stage([&] { dataplane_.confirm(port, out, sent); });
            frames_ += sent;
        });
        stage([&] { dataplane_.tend(0, now_, released_); });
    }

    template <class Stage>
    void stage(Stage stage) {
        if constexpr (has_devices) {
            timed(stage);
        } else {
            stage();
        }
    }
    // Reading the counter is not the switch's work: what an empty stage takes is taken off.
    template <class Stage>
    void timed(Stage stage) {
        const uint64_t start = cycles();
        stage();
        dataplane_cycles_ += cycles() - start - empty_stage_;
    }
    static uint64_t cost_of_an_empty_stage() {
        return static_cast<uint64_t>(median_of(1001, [] {
            const uint64_t start = cycles();
            return static_cast<double>(cycles() - start);
        }));
    }

    Wires wires_;
    Switch dataplane_;
    StationsOn<Port> stations_;
    pmd::Pool& pool_;
    Nanos now_{1};
    uint64_t frames_ = 0;
    uint64_t dataplane_cycles_ = 0;
    const uint64_t empty_stage_ = cost_of_an_empty_stage();
    Released released_;
    uint64_t dropped_before_ = 0;
};

}  // namespace sluice::bench
