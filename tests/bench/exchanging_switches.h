// Exchanging switches: two switches of one worker, each on a core with its stations, which send by
// the other switch what is for a station of that one. So as many frames change cores as between the
// two workers of one switch, by rings of DPDK, and nothing else is shared: what two cores of the
// machine are good for where so much crosses.
//
// The first half of a switch's ports have its stations, the other half is where frames come in that
// those of the other switch sent. For benches alone: whatever fails ends them.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/types/frame.h"
#include "dataplane/types/settings.h"
#include "pmd_glue/clock.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"
#include "tests/bench/crossed_rings.h"
#include "tests/bench/stations.h"
#include "tests/bench/workers_on_cores.h"

namespace sluice::bench {

class ExchangingSwitches {
  public:
    ExchangingSwitches(std::size_t frames_a_station, pmd::Pool& pool, const pmd::Clock& clock) {
        for (std::size_t side = 0; side < sides; ++side) {
            rings_[side] = std::make_unique<CrossedRings>(
                fmt::format("exchange{}of{}", side, frames_a_station), ports_a_switch, pool);
        }
        for (std::size_t station = 0; station < station_count; ++station) {
            station_ports_.push_back(std::make_unique<Port>(*this, station));
        }
        stations_ = std::make_unique<StationsOn<Port>>(station_ports_, pool, StationFrames{});
        for (std::size_t side = 0; side < sides; ++side) {
            far_ends_[side] = {stations_.get(), side};
            switches_[side] = std::make_unique<Cores>(settings_of(side), rings_[side]->ports,
                                                      far_ends_[side], pool, clock, side);
        }
        for (std::size_t given = 0; given < frames_a_station; given += max_burst) {
            for (PortIndex station = 0; station < station_count; ++station) {
                stations_->send_new(station, max_burst);
            }
        }
    }
    auto round(pmd::Eal& eal) {
        return Cores::round(eal, {switches_[0].get(), switches_[1].get()});
    }

  private:
    static constexpr std::size_t sides = 2;
    static constexpr std::size_t station_count = 8;
    static constexpr std::size_t stations_a_switch = station_count / sides;
    static constexpr std::size_t ports_a_switch = 2 * stations_a_switch;

    static std::size_t side_of(std::size_t station) { return station % sides; }

    // A station's end, in place of that of a ring.
    class Port {
      public:
        Port(ExchangingSwitches& all, std::size_t station)
            : own_side_(side_of(station)),
              own_(all.rings_[own_side_]->hosts[station / sides]->bursts()),
              across_(
                  all.rings_[1 - own_side_]->hosts[stations_a_switch + station / sides]->bursts()) {
        }

        std::size_t receive(std::span<Frame> burst) { return own_.receive(burst); }
        void transmit(std::span<const Frame> frames) {
            std::array<std::array<Frame, max_burst>, sides> to;
            std::array<std::size_t, sides> count{};
            for (const Frame& frame : frames) {
                // The last octet of an address is the station's number (stations.h).
                const std::size_t side = side_of(frame.data[5]);
                to[side][count[side]++] = frame;
            }
            own_.transmit(std::span(to[own_side_]).first(count[own_side_]));
            across_.transmit(std::span(to[1 - own_side_]).first(count[1 - own_side_]));
        }

      private:
        std::size_t own_side_;
        pmd::PortBursts& own_;
        pmd::PortBursts& across_;
    };
    struct FarEnds {
        StationsOn<Port>* stations = nullptr;
        std::size_t side = 0;

        void serve(WorkerIndex /*worker*/) {
            for (std::size_t station = side; station < station_count; station += sides) {
                stations->send_back(static_cast<PortIndex>(station));
            }
        }
    };
    using Cores = WorkersOnCores<FarEnds>;

    static Settings settings_of(std::size_t side) {
        Settings settings;
        settings.ports.resize(ports_a_switch);
        for (std::size_t station = side; station < station_count; station += sides) {
            settings.fdb.static_entries.push_back(
                {.vlan = 1,
                 .address = Stations::address(static_cast<PortIndex>(station)),
                 .port = static_cast<PortIndex>(station / sides)});
        }
        return settings;
    }

    std::array<std::unique_ptr<CrossedRings>, sides> rings_;
    std::vector<std::unique_ptr<Port>> station_ports_;
    std::unique_ptr<StationsOn<Port>> stations_;
    std::array<FarEnds, sides> far_ends_;
    std::array<std::unique_ptr<Cores>, sides> switches_;
};

}  // namespace sluice::bench
