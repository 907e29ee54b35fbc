// Rig: a Switch and its wires, in one thread. `poll` polls each worker, by dataplane/poll.h. The
// steps of a poll can be called one by one, so that a test checks the state in between. `receive`
// is such a step; `ports.arrive` adds frames for the next poll.
//
// Frames have names: `receive(0, "abc", {...})` gives three frames to port 0, and `sent(1)` returns
// the names of the frames that port 1 sent. `at_rest` checks at the end that each buffer was freed
// or transmitted exactly as often as it should be. A static entry puts station(n) on port n, so
// that only tests of learning depend on it.
//
// Property tests and the fuzz target use the same rig with random input.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dataplane/credits/credit_update.h"
#include "dataplane/ledger.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/poll.h"
#include "dataplane/switch.h"
#include "tests/support/octets.h"
#include "tests/support/rig_ports.h"

namespace sluice::test {

inline Settings settings_of(std::size_t ports, uint8_t workers = 1) {
    Settings settings;
    settings.workers = workers;
    settings.ports.resize(ports);
    settings.fdb.capacity = 256;
    for (PortIndex port = 0; port < ports; ++port) {
        settings.ports[port].worker = static_cast<WorkerIndex>(port % workers);
        settings.ports[port].address = {uint64_t{0x0200'0000'0200} + port};
        settings.fdb.static_entries.push_back({.vlan = 1, .address = station(port), .port = port});
    }
    return settings;
}

// Makes every frame use a VOQ, so that queued frames can be inspected.
inline Settings without_bypass(Settings settings) {
    settings.fabric.bypass = false;
    return settings;
}

class Rig {
  public:
    explicit Rig(const Settings& with) : settings(with), dataplane(with), ports(with.ports.size()) {
        for (PortIndex port = 0; port < with.ports.size(); ++port) dataplane.set_link(port, true);
        for_each_shard([&](Shard& shard) { polls_.emplace_back(dataplane, shard, ports); });
    }

    // --- reception ------------------------------------------------------------------------------
    // Receives one burst of frames that differ only in their names.
    void receive(InputIndex input, std::string_view names, const FrameSpec& spec) {
        std::vector<Octets> frames(names.size(), octets_of(spec));
        receive(input, std::move(frames), names);
    }
    // Receives the frames at once, without a poll.
    void receive(InputIndex input, std::vector<Octets> octets, std::string_view names = {}) {
        std::vector<Frame> burst(octets.size());
        ports.arrive(input, std::move(octets), names);
        ports.receive(input, burst);
        Released released;
        Shard& shard = dataplane.shard_of(input);
        shard.receive(input, burst, now, released);
        ports.release(released);
        shard.publish();
    }

    // --- a poll of each worker (dataplane/poll.h) -----------------------------------------------
    void poll(int slots = 8) {
        for (Poll<RigPorts>& poll : polls_) poll(now, slots);
        for (PortIndex port = 0; port < dataplane.port_count(); ++port) {
            EXPECT_TRUE(is_active(port) || is_at_rest(port)) << "port " << int{port};
        }
    }
    // The workers stop receiving and send only queued frames.
    void stop_receiving() {
        for (Poll<RigPorts>& poll : polls_) poll.stop_receiving();
    }
    [[nodiscard]] bool is_acknowledged() const {
        return std::ranges::all_of(
            polls_, [](const Poll<RigPorts>& poll) { return poll.retry().is_acknowledged(); });
    }
    void stop_retry() const {
        for (const Poll<RigPorts>& poll : polls_) poll.retry().stop();
    }
    // Polls until no frame is queued, at most `most` times.
    void run(int most = 10'000) {
        for (int n = 0; n < most && !dataplane.empty(); ++n) poll();
    }

    // --- single steps of a poll -----------------------------------------------------------------
    std::size_t slot() {
        std::size_t pairs = 0;
        for_each_shard([&](Shard& shard) {
            pairs += shard.match();
            shard.transfer();
        });
        return pairs;
    }
    // Processes the mailboxes between workers.
    void collect() {
        for_each_shard([](Shard& shard) { shard.collect(); });
    }
    // Sends one burst. The device accepts up to `accepted` of its frames.
    std::size_t transmit(PortIndex output, std::size_t accepted = max_burst,
                         std::size_t burst_size = max_burst) {
        std::array<Frame, max_burst> room;
        const auto burst = std::span(room).first(burst_size);
        Shard& shard = dataplane.shard_of(output);
        const bool active = is_active(output);
        const auto chosen = burst.first(shard.transmit(output, burst, now));
        EXPECT_TRUE(active || chosen.empty()) << "port " << int{output} << " sends at rest";
        const auto& pcps = shard.pcp_of_own_tags(output);
        const std::size_t ready = ports.edit_tags(output, chosen, pcps);
        if (ready == 0 && !chosen.empty()) {
            shard.discard_first(output, chosen, Drop::no_buffer, now);
            ports.free(chosen.front());
            return 0;
        }
        const std::size_t taken = ports.transmit(output, chosen.first(std::min(accepted, ready)));
        shard.confirm(output, chosen, taken);
        return taken;
    }
    // Returns the pause frame that is due at `port` now, else the last one that a poll has sent
    // since the last call; empty if there is none.
    Octets send_pause_frame(PortIndex port) {
        std::array<uint8_t, pause_frame_octets> octets;
        const bool active = is_active(port);
        Shard& shard = dataplane.shard_of(port);
        if (shard.pause_frame(port, octets, now)) {
            EXPECT_TRUE(active) << "port " << int{port} << " owes a pause at rest";
            ports.send(port, octets);
            shard.pause_frame_sent(port, now);
        }
        return ports.take_generated(
            port, [](const Octets& sent) { return read_16(&sent[12]) == mac_control_ether_type; });
    }
    // Returns an update of credit in the same way as `send_pause_frame`.
    Octets send_credit_update(PortIndex port) {
        std::array<uint8_t, longest_credit_update> octets;
        Shard& shard = dataplane.shard_of(port);
        const std::size_t length = shard.credit_update(port, octets, now);
        if (length > 0) {
            ports.send(port, std::span(octets).first(length));
            shard.credit_update_sent(port, length, now);
        }
        return ports.take_generated(
            port, [](const Octets& sent) { return read_credit_update(sent).has_value(); });
    }
    void housekeep() {
        for_each_shard([&](Shard& shard) {
            Released released;
            shard.housekeep(now, released);
            ports.release(released);
        });
    }
    void adopt(const Settings& next) {
        settings = next;
        for_each_shard([&](Shard& shard) { shard.adopt(next); });
    }
    // Releases all frames, as at the end of a program.
    void flush() {
        for (bool more = true; more;) {
            more = false;
            for_each_shard([&](Shard& shard) {
                Released released;
                more |= shard.flush(released);
                ports.release(released);
            });
        }
    }

    // --- results --------------------------------------------------------------------------------
    [[nodiscard]] std::string sent(PortIndex output) const {
        std::string names;
        for (const Departure& departure : departures(output)) names += departure.buffer->name;
        return names;
    }
    // Returns the names of the frames sent since the last call.
    std::string sent_now(PortIndex output) {
        const std::string names = sent(output);
        ports.forget_departures(output);
        return names;
    }
    [[nodiscard]] const std::vector<Departure>& departures(PortIndex output) const {
        return ports.departures(output);
    }
    [[nodiscard]] uint64_t drops(PortIndex port, Drop reason) const {
        return dataplane.counters(port).drops.of(reason);
    }
    [[nodiscard]] const Buffer& buffer(std::size_t number) const { return ports.buffer(number); }
    [[nodiscard]] std::size_t received() const { return ports.received(); }
    [[nodiscard]] std::size_t held() const { return ports.held(); }
    // Returns whether no frame is queued, and all accounts balance.
    [[nodiscard]] testing::AssertionResult at_rest() const {
        if (!dataplane.empty()) return testing::AssertionFailure() << "frames wait";
        if (held() != 0) return testing::AssertionFailure() << held() << " buffers leaked";
        if (!ports.misuse().empty()) return testing::AssertionFailure() << ports.misuse();
        if (dataplane.pool().used().count() != 0) {
            return testing::AssertionFailure()
                   << dataplane.pool().used().count() << " octets of the pool are still charged";
        }
        if (!ledger_of(dataplane).balanced()) {
            return testing::AssertionFailure() << "the ledger does not balance";
        }
        return testing::AssertionSuccess();
    }

    Settings settings;
    Switch dataplane;
    RigPorts ports;
    Nanos now{1'000'000'000};

  private:
    template <class Do>
    void for_each_shard(Do what) {
        for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
            what(dataplane.shard(worker));
        }
    }
    // Returns whether a poll would receive from the port.
    [[nodiscard]] bool is_active(PortIndex port) {
        return (dataplane.shard_of(port).active() & only(port)) != 0;
    }

    // Returns whether the port has nothing to send.
    [[nodiscard]] bool is_at_rest(PortIndex port) {
        Shard& shard = dataplane.shard_of(port);
        return dataplane.egress(port).empty() && !shard.pause_is_due(port, now);
    }

    std::deque<Poll<RigPorts>> polls_;  // one for each worker
};

}  // namespace sluice::test
