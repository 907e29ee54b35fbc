// BridgedNetwork: bridges that speak RSTP, and cables between their ports, in virtual time: a turn
// is 20 ms, in which each bridge receives the BPDUs that the others sent in the turn before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "control/rstp/bridge.h"

namespace sluice::test {

class BridgedNetwork {
  public:
    static constexpr Nanos turn{20'000'000};

    struct Plug {
        std::size_t bridge = 0;
        PortIndex port = 0;
    };
    struct Cable {
        Plug ends[2];
        bool up = true;
        bool one_way = false;  // frames of the second end are lost
    };

    std::size_t add(const rstp::BridgeSettings& settings) {
        bridges.emplace_back(settings);
        ports_used_.push_back(0);
        return bridges.size() - 1;
    }
    std::size_t add(uint64_t address, uint16_t priority = 32768, bool rapid = true) {
        return add({.address = {address}, .priority = priority, .rapid = rapid, .times = {}});
    }
    // Connects the next port of each bridge. Returns the number of the cable.
    std::size_t connect(std::size_t a, std::size_t b, const rstp::PortSettings& of_a = {},
                        const rstp::PortSettings& of_b = {}) {
        const Plug one = plug(a, of_a);
        const Plug other = plug(b, of_b);
        cables.push_back({{one, other}});
        bridges[a].set_link(one.port, true, now);
        bridges[b].set_link(other.port, true, now);
        return cables.size() - 1;
    }
    // Adds a port with a host, which sends no BPDUs.
    PortIndex add_host(std::size_t bridge, const rstp::PortSettings& settings = {}) {
        const Plug host = plug(bridge, settings);
        bridges[bridge].set_link(host.port, true, now);
        return host.port;
    }
    void set(std::size_t cable, bool up) {
        Cable& about = cables[cable];
        if (about.up == up) return;
        about.up = up;
        for (const Plug& end : about.ends) bridges[end.bridge].set_link(end.port, up, now);
    }

    void step() {
        now += turn;
        for (const Sent& arriving : std::exchange(under_way_, {})) {
            const Cable& cable = cables[arriving.cable];
            if (!cable.up) continue;
            const Plug& to = cable.ends[arriving.to];
            bridges[to.bridge].receive(to.port, arriving.frame, now);
        }
        for (std::size_t index = 0; index < bridges.size(); ++index) {
            bridges[index].advance(now);
            bridges[index].transmit(now, [&](PortIndex port, const rstp::Bpdu& bpdu) {
                send(index, port, bpdu);
                return true;
            });
            flushed.push_back(bridges[index].take_flushes());
        }
    }
    void run(Nanos time) {
        for (const Nanos end = now + time; now < end;) step();
    }
    // Runs until `holds` returns true. Returns the time that this took, or `limit`.
    template <class Holds>
    Nanos run_until(Nanos limit, Holds holds) {
        const Nanos began = now;
        while (!holds() && now < began + limit) step();
        return now - began;
    }

    [[nodiscard]] rstp::State state(std::size_t bridge, PortIndex port) const {
        return bridges[bridge].port(port)->state();
    }
    [[nodiscard]] rstp::Role role(std::size_t bridge, PortIndex port) const {
        return bridges[bridge].port(port)->role;
    }
    [[nodiscard]] bool carries(const Cable& cable) const {
        return cable.up && std::ranges::all_of(cable.ends, [&](const Plug& end) {
                   return state(end.bridge, end.port) == rstp::State::forwarding;
               });
    }
    // Returns whether the cables that forward frames form a loop.
    [[nodiscard]] bool has_loop() const {
        Groups groups(bridges.size());
        return std::ranges::any_of(cables, [&](const Cable& cable) {
            return carries(cable) && !groups.join(cable.ends[0].bridge, cable.ends[1].bridge);
        });
    }
    // Returns whether all bridges that cables connect reach each other by cables that forward
    // frames.
    [[nodiscard]] bool spans() const {
        Groups cabled(bridges.size());
        Groups reached(bridges.size());
        for (const Cable& cable : cables) {
            if (cable.up) cabled.join(cable.ends[0].bridge, cable.ends[1].bridge);
            if (carries(cable)) reached.join(cable.ends[0].bridge, cable.ends[1].bridge);
        }
        return cabled.count() == reached.count();
    }
    // Returns whether all connected bridges have the same root.
    [[nodiscard]] bool agree_on_root() const {
        Groups cabled(bridges.size());
        for (const Cable& cable : cables) {
            if (cable.up) cabled.join(cable.ends[0].bridge, cable.ends[1].bridge);
        }
        for (std::size_t one = 0; one < bridges.size(); ++one) {
            rstp::BridgeId best = bridges[one].id();
            for (std::size_t other = 0; other < bridges.size(); ++other) {
                if (cabled.of(one) == cabled.of(other)) best = std::min(best, bridges[other].id());
            }
            if (bridges[one].root() != best) return false;
        }
        return true;
    }

    Nanos now{1'000'000'000};
    std::vector<rstp::Bridge> bridges;
    std::vector<Cable> cables;
    std::vector<PortSet> flushed;  // ports whose addresses were flushed, by bridge and turn
    uint64_t sent = 0;             // BPDUs of all bridges

  private:
    class Groups {
      public:
        explicit Groups(std::size_t members) : parent_(members) {
            std::iota(parent_.begin(), parent_.end(), 0);
        }
        [[nodiscard]] std::size_t of(std::size_t member) const {
            while (parent_[member] != member) member = parent_[member];
            return member;
        }
        // Returns false if both were in one group already.
        bool join(std::size_t a, std::size_t b) {
            const std::size_t one = of(a);
            const std::size_t other = of(b);
            parent_[one] = other;
            return one != other;
        }
        [[nodiscard]] std::size_t count() const {
            std::set<std::size_t> all;
            for (std::size_t member = 0; member < parent_.size(); ++member) all.insert(of(member));
            return all.size();
        }

      private:
        std::vector<std::size_t> parent_;
    };
    struct Sent {
        std::size_t cable;
        std::size_t to;  // index of the receiving end
        rstp::Octets frame;
    };

    Plug plug(std::size_t bridge, const rstp::PortSettings& settings) {
        const PortIndex port = ports_used_[bridge]++;
        bridges[bridge].set_port(port, settings, now);
        return {bridge, port};
    }
    void send(std::size_t bridge, PortIndex port, const rstp::Bpdu& bpdu) {
        ++sent;
        for (std::size_t number = 0; number < cables.size(); ++number) {
            const Cable& cable = cables[number];
            for (std::size_t end = 0; end < 2; ++end) {
                const bool is_it = cable.ends[end].bridge == bridge && cable.ends[end].port == port;
                if (!is_it || (end == 1 && cable.one_way)) continue;
                under_way_.push_back(
                    {number, 1 - end, rstp::frame_of(bpdu, bridges[bridge].settings().address)});
            }
        }
    }

    std::vector<PortIndex> ports_used_;
    std::vector<Sent> under_way_;
};

}  // namespace sluice::test
