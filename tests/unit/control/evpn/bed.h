// Bed: a network of EVPN with two tunnels, at ports 2 (`left`) and 3 (`right`); an FDB that does
// what is ordered, at once or when asked; and what was written to the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "control/evpn/network.h"
#include "tests/support/octets.h"

namespace sluice::control::evpn {

inline constexpr Ipv4Address left{0xC000'0202};
inline constexpr Ipv4Address right{0xC000'0203};
inline constexpr Ipv4Address stranger{0xC000'0209};

class Bed {
  public:
    explicit Bed(Nanos grace = Nanos(120'000'000'000), std::size_t most = 100,
                 std::optional<PortIndex> to_many = {})
        : capacity{.most = most},
          network({.tunnels = {{left, 2}, {right, 3}},
                   .to_many = to_many,
                   .grace = grace,
                   .capacity = &capacity},
                  now) {
        network.set_bridge({.device = 4, .local = 5, .bridge = 3}, now);
    }

    // --- by the kernel
    // With an age where a dump has one: since it was written last.
    void bridge(MacAddress address, uint32_t interface, bool removed = false, bool sticky = false,
                std::optional<Nanos> age = {}) {
        network.receive(Entry{.removed = removed,
                              .interface = interface,
                              .bridge = 3,
                              .sticky = sticky,
                              .dumped = dumping,
                              .address = address,
                              .age = age},
                        now);
    }
    void device(MacAddress address, Ipv4Address vtep, bool removed = false) {
        network.receive(Entry{.removed = removed,
                              .interface = 4,
                              .self = true,
                              .permanent = address == MacAddress{},
                              .dumped = dumping,
                              .address = address,
                              .vtep = vtep},
                        now);
    }
    void flood(Ipv4Address vtep, bool removed = false) { device({}, vtep, removed); }
    void remote(MacAddress address, Ipv4Address vtep, bool removed = false,
                std::optional<Nanos> age = {}) {
        bridge(address, 4, removed, false, age);
        device(address, vtep, removed);
    }

    // `said` in a dump; whether it was whole.
    bool dump(const std::function<void()>& says) {
        network.begin_dump();
        dumping = true;
        says();
        dumping = false;
        return network.end_dump(now);
    }

    // --- by frames
    void learn(MacAddress address, bool sticky = false) {
        fdb[address] = {.as = Known::As::local, .sticky = sticky};
        network.see_local(address, fdb[address], now, effects);
    }

    void pass(Nanos time) {
        now += time;
        network.proceed(now, effects);
        network.proceed(now, effects);  // the order's result is seen
    }
    // The worker's turn.
    void carry_out() {
        for (const auto& [address, order] : orders) carry_out(address, order);
        carried_out += orders.size();
        orders.clear();
    }
    // The port that an address is bound to, as a digit; `-` if it is known here, nothing if not.
    [[nodiscard]] std::string where(MacAddress address) const {
        const auto found = fdb.find(address);
        if (found == fdb.end()) return "";
        return found->second.as == Known::As::local ? "-" : std::to_string(found->second.port);
    }
    // Returns the writes to the kernel since the last call: + or -, and the interface.
    [[nodiscard]] std::string kernel_changes() {
        std::string words;
        for (const Octets& octets : said) {
            for (const Message& message : read_messages(octets)) {
                const auto& entry = std::get<Entry>(message);
                words += entry.removed ? '-' : '+';
                words += std::to_string(entry.interface);
                if (entry.self) words += 's';
            }
        }
        said.clear();
        return words;
    }

    Nanos now{1'000'000'000'000};
    std::map<MacAddress, Known> fdb;
    std::vector<Octets> said;
    std::vector<std::pair<MacAddress, RemoteOrder>> orders;   // that the worker has not taken
    std::map<MacAddress, std::optional<Ipv4Address>> behind;  // as a tunnel to many has it
    uint64_t given = 0;
    uint64_t carried_out = 0;
    bool has_room = true;
    bool is_quick = true;  // orders are carried out at once
    bool dumping = false;
    bool has_daemon = true;
    std::optional<Nanos> daemon_began;  // none: nobody knows
    Network::Capacity capacity;
    Network network;
    Network::Effects effects{
        .look_up =
            [this](MacAddress address) {
                const auto found = fdb.find(address);
                return found == fdb.end() ? Known{} : found->second;
            },
        .order = [this](MacAddress address, RemoteOrder order) -> std::optional<uint64_t> {
            if (!has_room) return {};
            orders.emplace_back(address, order);
            if (is_quick) carry_out();
            return ++given;
        },
        .place_behind = [this](MacAddress address,
                               std::optional<Ipv4Address> vtep) { behind[address] = vtep; },
        .carried_out = [this] { return carried_out; },
        .send_to_kernel = [this](const Octets& octets) { said.push_back(octets); },
        .daemon_is_there = [this] { return has_daemon; },
        .daemon_began = [this] { return daemon_began; }};

  private:
    void carry_out(MacAddress address, const RemoteOrder& order) {
        const auto found = fdb.find(address);
        const bool is_local = found != fdb.end() && found->second.as == Known::As::local;
        if (is_local && found->second.sticky) return;
        if (order.kind == RemoteOrder::Kind::bind) {
            fdb[address] = {.as = Known::As::remote, .port = order.port};
        } else if (order.kind == RemoteOrder::Kind::forget || !is_local) {
            fdb.erase(address);
        }
    }
};

}  // namespace sluice::control::evpn
