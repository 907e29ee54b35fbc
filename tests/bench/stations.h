// Stations: the hosts behind crossed rings or lanes, one a port: each puts frames of 64 octets (FCS
// counted) on its end by default, and what it gets it sends back, addressed to the next of the
// others. So frames go round for ever, uniformly, without a generator. A host may have many
// addresses: each frame is from and to one drawn at random. For benches alone: whatever fails ends
// them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/types/address.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/frame_format.h"
#include "dataplane/types/limits.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"

namespace sluice::bench {

// What goes round.
struct StationFrames {
    FrameFormat format = presets[0];
    bool tagged = true;
    std::size_t addresses = 1;   // of each host, unless ids have 16 bits
    std::size_t priorities = 1;  // 1: priority 3; else so many, alike, from 0 on
    uint16_t octets = 60;        // FCS not counted
};

// What moves a port's frames: of a port of the switch that is a type of its own.
template <class Port>
auto& bursts_of(Port& port) {
    if constexpr (requires { port.bursts(); }) {
        return port.bursts();
    } else {
        return port;
    }
}

// `Port`: receives and transmits bursts.
template <class Port>
class StationsOn {
  public:
    static constexpr std::size_t burst = 32;

    StationsOn(std::vector<std::unique_ptr<Port>>& hosts, pmd::Pool& pool,
               const StationFrames& frames)
        : hosts_(hosts), pool_(pool), frames_(frames), turns_(hosts.size()) {
        for (std::size_t host = 0; host < turns_.size(); ++host) turns_[host].chance = host;
    }

    static constexpr MacAddress address(PortIndex port, std::size_t number = 0) {
        return {uint64_t{0x0200'0000'0100} + port + number * max_ports};
    }
    [[nodiscard]] PortIndex count() const { return static_cast<PortIndex>(hosts_.size()); }
    [[nodiscard]] std::size_t addresses() const { return frames_.addresses; }

    // A frame from one of a host's addresses to the same: it is learned, and goes no further.
    void send_itself(PortIndex host, std::size_t number) {
        Frame frame;
        if (!pool_.allocate(std::span(&frame, 1), frames_.octets)) std::exit(1);
        std::fill_n(frame.data, frames_.octets, uint8_t{0});
        write_addresses(frame, {host, number}, {host, number});
        write_16(frame.data + 12, 0x88B5);
        bursts_of(*hosts_[host]).transmit(std::span(&frame, 1));
    }

    // `frames` new ones, at most max_burst.
    void send_new(PortIndex host, std::size_t frames) {
        std::array<Frame, max_burst> room;
        const auto fresh = std::span(room).first(frames);
        if (!pool_.allocate(fresh, frames_.octets)) std::exit(1);
        for (std::size_t n = 0; n < frames; ++n) {
            const Frame& frame = fresh[n];
            std::fill_n(frame.data, frames_.octets, uint8_t{0});
            write_addresses(frame, host);
            uint8_t* ether_type = frame.data + 12;
            if (frames_.tagged) {
                write_16(ether_type, 0x8100);
                write_16(ether_type + 2, static_cast<uint16_t>(pcp_of(n) << 13 | 1));
                ether_type += 4;
            }
            write_16(ether_type, 0x88B5);
        }
        bursts_of(*hosts_[host]).transmit(fresh);
    }
    void send_back(PortIndex host) {
        std::array<Frame, burst> room;
        const std::size_t count = bursts_of(*hosts_[host]).receive(room);
        const auto frames = std::span(room).first(count);
        for (const Frame& frame : frames) write_addresses(frame, host);
        if (count > 0) bursts_of(*hosts_[host]).transmit(frames);
    }
    // Frees what has come to each.
    void forget() {
        for (const auto& host : hosts_) {
            std::array<Frame, max_burst> room;
            const std::size_t count = bursts_of(*host).receive(room);
            std::array<void*, max_burst> handles;
            for (std::size_t n = 0; n < count; ++n) handles[n] = room[n].handle;
            pool_.free(std::span(handles).first(count));
        }
    }

  private:
    struct Station {
        PortIndex host;
        std::size_t number;  // of its addresses
    };
    // Hosts may be served on different cores.
    struct alignas(64) Turn {
        PortIndex to = 0;
        uint64_t chance = 0;
    };
    [[nodiscard]] std::size_t pcp_of(std::size_t number) const {
        return frames_.priorities == 1 ? 3 : number % frames_.priorities;
    }
    void write_addresses(const Frame& frame, PortIndex from) {
        Turn& turn = turns_[from];
        turn.to = static_cast<PortIndex>((turn.to + 1) % count());
        if (turn.to == from) turn.to = static_cast<PortIndex>((from + 1) % count());
        write_addresses(frame, {turn.to, draw(turn)}, {from, draw(turn)});
    }
    void write_addresses(const Frame& frame, Station to, Station from) const {
        if (has_short_ids(frames_.format.family)) {
            write_16(frame.data + 4, to.host);
            frame.data[0] = key_word_short_ids;
            write_16(frame.data + 10, from.host);
        } else {
            write_address(frame.data, address(to.host, to.number));
            write_address(frame.data + 6, address(from.host, from.number));
        }
    }
    // Knuth's linear congruential generator.
    std::size_t draw(Turn& turn) const {
        if (frames_.addresses == 1) return 0;
        turn.chance = turn.chance * 6364136223846793005 + 1442695040888963407;
        return (turn.chance >> 33) % frames_.addresses;
    }

    std::vector<std::unique_ptr<Port>>& hosts_;
    pmd::Pool& pool_;
    StationFrames frames_;
    std::vector<Turn> turns_;  // of each host
};

using Stations = StationsOn<pmd::Port>;

}  // namespace sluice::bench
