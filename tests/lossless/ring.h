// Ring: three switches, each with a host, that can hold each other for ever.
//
// Port 0 of a switch leads to its host, port 1 to the next switch, port 2 to the one before. Each
// host sends to the host two switches on, so its frames cross two of the three links, clockwise:
// what holds a link is waiting for the next link, all around. The switches pause each other by
// pause frames on the cables, as they would outside.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "dataplane/ledger.h"
#include "tests/lossless/star.h"

namespace sluice::test {

class Ring {
  public:
    static constexpr std::size_t size = 3;
    static constexpr PortIndex to_host = 0;
    static constexpr PortIndex to_next = 1;
    static constexpr PortIndex to_previous = 2;

    Ring(const Cable& cable, const WatchdogSettings& watchdog) {
        for (std::size_t n = 0; n < size; ++n) {
            nodes[n] = std::make_unique<SwitchNode>(network, settings_of(n, cable, watchdog));
            hosts[n] = std::make_unique<Host>(network, source_of(n), cable.speed);
        }
        for (std::size_t n = 0; n < size; ++n) {
            connect(*hosts[n], nodes[n]->port(to_host), cable);
            connect(nodes[n]->port(to_next), nodes[(n + 1) % size]->port(to_previous), cable);
            hosts[n]->sender.add(
                {.to = address_of((n + 2) % size), .priority = lossless, .mix = {1522, 1522}},
                static_cast<uint16_t>(n));
        }
    }

    void start() {
        for (const auto& host : hosts) host->look();
    }
    void stop() {
        for (const auto& host : hosts) host->set_rate(BitsPerSecond(0));
    }
    // A host stops to receive for a moment.
    void hold(std::size_t host, uint16_t quanta) { hosts[host]->send_pause(lossless, quanta); }

    [[nodiscard]] uint64_t sent() const {
        uint64_t frames = 0;
        for (const auto& host : hosts) frames += host->sender.sent(lossless);
        return frames;
    }
    [[nodiscard]] uint64_t received() const {
        uint64_t frames = 0;
        for (const auto& host : hosts) frames += host->sink.received(lossless);
        return frames;
    }
    [[nodiscard]] uint64_t dropped(Drop reason) const {
        uint64_t frames = 0;
        for (const auto& node : nodes) frames += node->drops(reason);
        return frames;
    }
    [[nodiscard]] uint64_t dropped_in_all() const {
        uint64_t frames = 0;
        for (const auto& node : nodes) frames += node->dropped_in_all();
        return frames;
    }
    // Outputs whose watchdog sees a storm.
    [[nodiscard]] std::size_t storms() const {
        std::size_t count = 0;
        for (const auto& node : nodes) {
            for (const PortIndex port : {to_host, to_next, to_previous}) {
                const Watchdog& watchdog = node->dataplane().egress(port).watchdog();
                count += (watchdog.pfc_storms() & only_priority(lossless)) != 0 ? 1U : 0U;
            }
        }
        return count;
    }
    [[nodiscard]] testing::AssertionResult ledgers_balance() const {
        for (std::size_t n = 0; n < size; ++n) {
            if (ledger_of(nodes[n]->dataplane()).balanced()) continue;
            return testing::AssertionFailure() << "that of switch " << n << " does not";
        }
        return testing::AssertionSuccess();
    }

    Network network;
    std::array<std::unique_ptr<SwitchNode>, size> nodes;
    std::array<std::unique_ptr<Host>, size> hosts;

  private:
    static MacAddress address_of(std::size_t host) { return station(static_cast<unsigned>(host)); }
    static MacAddress source_of(std::size_t host) {
        return station(static_cast<unsigned>(host) + 100);
    }
    static Settings settings_of(std::size_t n, const Cable& cable,
                                const WatchdogSettings& watchdog) {
        // A link is resumed only when everything that it brought has left: so a few frames that
        // wait for the next one hold it.
        Settings settings = test::settings_of({.hosts = size, .cable = cable, .xon = Bytes(0)});
        for (PortSettings& port : settings.ports) port.pfc.watchdog = watchdog;
        for (std::size_t host = 0; host < size; ++host) {
            settings.fdb.static_entries[host] = {
                .vlan = 1, .address = address_of(host), .port = host == n ? to_host : to_next};
        }
        return settings;
    }
};

}  // namespace sluice::test
