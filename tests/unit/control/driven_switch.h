// DrivenSwitch: a Switch whose worker is the test: frames go in and out by hand.
#pragma once

#include <fmt/format.h>

#include <array>
#include <list>
#include <memory>
#include <vector>

#include "control/show/snapshot.h"
#include "dataplane/shard.h"
#include "dataplane/switch.h"
#include "dataplane/types/address.h"

namespace sluice::control {

class DrivenSwitch {
  public:
    explicit DrivenSwitch(
        std::size_t ports, void (*choose)(Settings&) = [](Settings&) {}) {
        settings.ports.resize(ports);
        settings.fabric.bypass = false;  // so that waiting frames can be inspected
        choose(settings);
        dataplane = std::make_unique<Switch>(settings);
        for (PortIndex port = 0; port < ports; ++port) {
            dataplane->set_link(port, true);
            PortView& view = about.emplace_back();
            view.name = fmt::format("p{}", port);
            view.device = fmt::format("null:{}", port);
        }
    }

    // A frame of 64 octets, tagged with `priority` in VLAN 1.
    void receive(PortIndex port, uint64_t source, uint64_t destination, Priority priority = 0) {
        std::array<uint8_t, 64>& octets = octets_.emplace_back();
        write_address(octets.data(), {destination});
        write_address(octets.data() + 6, {source});
        write_16(octets.data() + 12, 0x8100);
        write_16(octets.data() + 14, static_cast<uint16_t>(priority << 13 | 1));
        Frame frame{.handle = &octets, .data = octets.data(), .length = 64};
        dataplane->shard(0).receive(port, std::span(&frame, 1), now, released_);
        released_.clear();
    }
    void receive_pause(PortIndex port, const PauseFrame& pause) {
        std::array<uint8_t, 64>& octets = octets_.emplace_back();
        write_pause_frame(std::span(octets).first<pause_frame_octets>(), {1}, pause);
        Frame frame{.handle = &octets, .data = octets.data(), .length = pause_frame_octets};
        dataplane->shard(0).receive(port, std::span(&frame, 1), now, released_);
        released_.clear();
    }
    // The pause frame that is due at the port, if one is, goes out.
    void send_pause_frame(PortIndex port) {
        std::array<uint8_t, pause_frame_octets> octets;
        if (dataplane->shard(0).pause_frame(port, octets, now))
            dataplane->shard(0).pause_frame_sent(port, now);
    }
    void housekeep() {
        dataplane->shard(0).housekeep(now, released_);
        released_.clear();
    }
    // Everything that may leave leaves.
    void forward() {
        for (int slot = 0; slot < 8; ++slot) {
            dataplane->shard(0).match();
            dataplane->shard(0).transfer();
            for (PortIndex port = 0; port < settings.ports.size(); ++port) {
                std::array<Frame, max_burst> burst;
                const std::size_t count = dataplane->shard(0).transmit(port, burst, now);
                dataplane->shard(0).confirm(port, std::span(burst).first(count), count);
            }
        }
    }
    [[nodiscard]] Json show(std::string_view noun, bool all = false) const {
        return snapshot(noun, view(), all);
    }
    [[nodiscard]] View view() const {
        View view{*dataplane, settings, about, workers, events, agents, dcbx, aggregators, now};
        view.configuration_file = "driven.yaml";
        view.configuration = "ports: [{device: ring:driven}]";
        return view;
    }

    Settings settings;
    std::unique_ptr<Switch> dataplane;
    std::vector<PortView> about;
    std::vector<WorkerView> workers;
    EventLog events;
    std::vector<lldp::Agent> agents;
    std::vector<dcbx::Agent> dcbx;
    std::vector<lacp::Aggregator> aggregators;
    Nanos now{1'000'000'000};

  private:
    std::list<std::array<uint8_t, 64>> octets_;
    Released released_;
};

}  // namespace sluice::control
