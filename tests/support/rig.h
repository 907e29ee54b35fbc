// Rig: a Switch and the owner of its buffers, driven by hand in one thread.
//
// Frames have names: `receive(0, "abc", {...})` gives three frames to port 0, and `sent(1)` returns
// as letters what left port 1. The rig keeps the references of every buffer by what Released holds
// and stops the test when one is given back that nobody holds; `at_rest` checks at the end that
// each was freed or transmitted exactly as often as it should. A static entry puts station(n) on
// port n, so a test that is not about learning need not care where frames go.
//
// Property tests and the fuzz target drive the same rig with what they draw.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dataplane/ledger.h"
#include "dataplane/switch.h"
#include "tests/support/octets.h"

namespace sluice::test {

struct Buffer {
    Octets octets;
    char name = '?';
    uint32_t number = 0;  // in the order in which frames came in
    int references = 1;
};

// What left a port.
struct Departure {
    const Buffer* buffer;
    PortIndex input;
    Priority priority;
    Octets edited;  // as it left, where its tag was edited

    [[nodiscard]] const Octets& octets() const { return edited.empty() ? buffer->octets : edited; }
};

inline Settings settings_of(std::size_t ports, uint8_t workers = 1) {
    Settings settings;
    settings.workers = workers;
    settings.ports.resize(ports);
    settings.fabric.bypass = false;  // so that what waits can be looked at
    settings.fdb.capacity = 256;
    for (PortIndex port = 0; port < ports; ++port) {
        settings.ports[port].worker = static_cast<WorkerIndex>(port % workers);
        settings.ports[port].address = {uint64_t{0x0200'0000'0200} + port};
        settings.fdb.static_entries.push_back({.vlan = 1, .address = station(port), .port = port});
    }
    return settings;
}

class Rig {
  public:
    explicit Rig(const Settings& with) : settings(with), dataplane(with), sent_(with.ports.size()) {
        for (PortIndex port = 0; port < with.ports.size(); ++port) dataplane.set_link(port, true);
    }

    // --- in -------------------------------------------------------------------------------------
    // One burst of frames that differ in name alone.
    void receive(InputIndex input, std::string_view names, const FrameSpec& spec) {
        std::vector<Octets> frames(names.size(), octets_of(spec));
        receive(input, std::move(frames), names);
    }
    void receive(InputIndex input, std::vector<Octets> octets, std::string_view names = {}) {
        std::vector<Frame> burst;
        for (std::size_t n = 0; n < octets.size(); ++n) {
            Buffer& buffer = buffers_.emplace_back();
            buffer.octets = std::move(octets[n]);
            buffer.name = n < names.size() ? names[n] : '?';
            buffer.number = next_number_++;
            Frame frame{};
            frame.handle = &buffer;
            frame.data = buffer.octets.data();
            frame.length = static_cast<uint16_t>(buffer.octets.size());
            burst.push_back(frame);
        }
        Released released;
        Shard& shard = dataplane.shard_of(input);
        shard.receive(input, burst, now, released);
        settle(released);
        shard.publish();
    }

    // --- across and out -------------------------------------------------------------------------
    std::size_t slot() {
        std::size_t pairs = 0;
        for_each_shard([&](Shard& shard) {
            pairs += shard.match();
            shard.transfer();
        });
        return pairs;
    }
    // What lies in mailboxes between workers.
    void collect() {
        for_each_shard([](Shard& shard) { shard.collect(); });
    }
    // One burst; the device takes up to `accepted` of it.
    std::size_t transmit(PortIndex output, std::size_t accepted = max_burst,
                         std::size_t burst_size = max_burst) {
        std::array<Frame, max_burst> room;
        const auto burst = std::span(room).first(burst_size);
        Shard& shard = dataplane.shard_of(output);
        const bool active = is_active(output);
        const auto chosen = burst.first(shard.transmit(output, burst, now));
        EXPECT_TRUE(active || chosen.empty()) << "port " << int{output} << " sends at rest";
        const std::size_t ready = with_buffers(chosen);
        if (ready == 0 && !chosen.empty()) {
            shard.discard_first(output, chosen, Drop::no_buffer, now);
            unreference(static_cast<Buffer*>(chosen.front().handle));
            return 0;
        }
        const std::size_t taken = std::min(accepted, ready);
        for (Frame& frame : chosen.first(taken)) {
            auto* const buffer = static_cast<Buffer*>(frame.handle);
            sent_[output].push_back({buffer, frame.input, frame.priority, edited(output, frame)});
            if (on_sent) on_sent(output, frame);
            unreference(buffer);
        }
        shard.confirm(output, chosen, taken);
        return taken;
    }
    // The pause frame that is due at `port`, if one is.
    std::vector<uint8_t> send_pause_frame(PortIndex port) {
        std::array<uint8_t, pause_frame_octets> octets;
        const bool active = is_active(port);
        Shard& shard = dataplane.shard_of(port);
        if (!shard.pause_frame(port, octets, now)) return {};
        EXPECT_TRUE(active) << "port " << int{port} << " owes a pause at rest";
        shard.pause_frame_sent(port, now);
        return {octets.begin(), octets.end()};
    }
    void housekeep() {
        for_each_shard([&](Shard& shard) {
            Released released;
            shard.housekeep(now, released);
            settle(released);
        });
    }
    // What a worker does again and again: everything that can move, moves.
    void poll(std::size_t slots = 8) {
        for (std::size_t n = 0; n < slots && slot() > 0; ++n) continue;
        for (PortIndex port = 0; port < dataplane.port_count(); ++port) {
            transmit(port);
        }
        housekeep();
    }
    // Polls until nothing waits or nothing moves any more.
    void run(int polls = 10'000) {
        for (int n = 0; n < polls && !dataplane.empty(); ++n) poll();
    }
    void adopt(const Settings& next) {
        settings = next;
        for_each_shard([&](Shard& shard) { shard.adopt(next); });
    }
    // Releases everything, as at the end of a program.
    void flush() {
        for (bool more = true; more;) {
            more = false;
            for_each_shard([&](Shard& shard) {
                Released released;
                more |= shard.flush(released);
                settle(released);
            });
        }
    }

    // --- what happened --------------------------------------------------------------------------
    [[nodiscard]] std::string sent(PortIndex output) const {
        std::string names;
        for (const Departure& departure : sent_[output]) names += departure.buffer->name;
        return names;
    }
    // The names that left since the last call.
    std::string sent_now(PortIndex output) {
        const std::string names = sent(output);
        sent_[output].clear();
        return names;
    }
    [[nodiscard]] const std::vector<Departure>& departures(PortIndex output) const {
        return sent_[output];
    }
    [[nodiscard]] uint64_t drops(PortIndex port, Drop reason) const {
        return dataplane.counters(port).drops.of(reason);
    }
    [[nodiscard]] const Buffer& buffer(std::size_t number) const { return buffers_[number]; }
    [[nodiscard]] std::size_t received() const { return buffers_.size(); }
    // Buffers that the switch still holds.
    [[nodiscard]] std::size_t held() const {
        std::size_t count = 0;
        for (const Buffer& buffer : buffers_) count += buffer.references > 0 ? 1 : 0;
        return count;
    }
    // Nothing waits, and everything adds up.
    [[nodiscard]] testing::AssertionResult at_rest() const {
        if (!dataplane.empty()) return testing::AssertionFailure() << "frames wait";
        if (held() != 0) return testing::AssertionFailure() << held() << " buffers leaked";
        if (!misused_.empty()) return testing::AssertionFailure() << misused_;
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
    Nanos now{1'000'000'000};
    std::function<void(PortIndex output, const Frame& frame)> on_sent;
    std::size_t buffers_left = SIZE_MAX;  // for copies of what others hold as well

  private:
    template <class Do>
    void for_each_shard(Do what) {
        for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
            what(dataplane.shard(worker));
        }
    }
    // Whether a worker would ask the port for frames.
    [[nodiscard]] bool is_active(PortIndex port) {
        return (dataplane.shard_of(port).active() & only(port)) != 0;
    }
    // Frames before the first that gets no buffer of its own.
    std::size_t with_buffers(std::span<const Frame> chosen) {
        for (std::size_t n = 0; n < chosen.size(); ++n) {
            const auto* const buffer = static_cast<const Buffer*>(chosen[n].handle);
            if (edit_of(chosen[n]) == TagEdit::none || buffer->references == 1) continue;
            if (buffers_left == 0) return n;
            --buffers_left;
        }
        return chosen.size();
    }
    // What an edit makes of a frame, in octets of its own; none is due: nothing.
    Octets edited(PortIndex output, Frame& frame) {
        if (edit_of(frame) == TagEdit::none) return {};
        const Octets& before = static_cast<const Buffer*>(frame.handle)->octets;
        Octets room(tag_octets);
        room.insert(room.end(), before.begin(), before.end());
        room.resize(room.size() + tag_octets, 0xEE);
        frame.data = room.data() + tag_octets - octets_added(edit_of(frame));
        rewrite_tag(frame, static_cast<uint16_t>(before.size()),
                    dataplane.shard_of(output).pcp_of_own_tags(output)[frame.priority]);
        return {frame.data, frame.data + frame.length};
    }
    void settle(const Released& released) {
        for (std::size_t n = 0; n < released.shared_count; ++n) {
            static_cast<Buffer*>(released.shared[n].handle)->references += released.shared[n].extra;
        }
        for (std::size_t n = 0; n < released.freed_count; ++n) {
            unreference(static_cast<Buffer*>(released.freed[n]));
        }
    }
    void unreference(Buffer* buffer) {
        if (--buffer->references < 0) misused_ = "a buffer was given back once too often";
    }

    std::deque<Buffer> buffers_;
    std::vector<std::vector<Departure>> sent_;
    std::string misused_;
    uint32_t next_number_ = 0;
};

}  // namespace sluice::test
