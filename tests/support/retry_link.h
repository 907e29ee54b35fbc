// RetryLink: two switches, a and b, and a cable with retry between port 1 of a and port 0 of b. The
// cable loses, doubles, swaps and delays frames as the test demands; LLDP reports retry at both
// ends. Frames of host 0 of a to station(1) are sent by port 1 of b.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "dataplane/retry/retries.h"
#include "dataplane/retry/retry_shim.h"
#include "tests/support/lossless.h"
#include "tests/support/octets.h"
#include "tests/support/rig.h"

namespace sluice::test {

inline Settings retry_settings(PortIndex with_retry, Bytes buffer = Bytes(64 * 1024)) {
    Settings settings = lossless_settings();
    settings.ports[with_retry].retry = {.is_on = true,
                                        .buffer = buffer,
                                        .resequence = buffer,
                                        .replay_timer = Nanos(1'000'000),
                                        .replay_count_max = 8};
    return settings;
}

inline bool is_numbered(const Octets& octets) {
    const auto shim = read_retry_shim(octets);
    return shim && shim->kind == RetryKind::data;
}

class RetryLink {
  public:
    using Way = std::deque<Octets>;

    explicit RetryLink(const Settings& of_a = retry_settings(1),
                       const Settings& of_b = retry_settings(0))
        : a(of_a), b(of_b) {
        connect(a, 1, forth);
        connect(b, 0, back);
        set_peers(LinkPeer::able);
    }
    void set_peers(LinkPeer peer) {
        a.dataplane.retries().set_peer(1, peer, three);
        b.dataplane.retries().set_peer(0, peer, three);
    }

    // Delivers the frames on the cable, except those that `loses` selects. Frames that `holds`
    // selects, and all frames after them, stay for another turn. Then both ends poll once.
    void turn() {
        a.now += Nanos(20'000);
        b.now += Nanos(20'000);
        ++turns_;
        pass(take_its_time(back, late_back_), a, 1);
        pass(take_its_time(forth, late_forth_), b, 0);
        a.poll();
        b.poll();
    }
    void turn(int times) {
        for (int n = 0; n < times; ++n) turn();
    }
    // Sends numbered frames from host 0 of a.
    void send(int frames, uint8_t pcp = 3) {
        for (int n = 0; n < frames; ++n) {
            Octets octets = octets_of(to(1, pcp));
            write_32(&octets[40], sent++);
            a.ports.arrive(0, {octets});
        }
    }
    // Returns the numbers of the frames that b sent to its host.
    [[nodiscard]] std::vector<uint32_t> delivered() {
        std::vector<uint32_t> numbers;
        for (const Departure& departure : b.ports.departures(1)) {
            numbers.push_back(read_32(&departure.octets()[40]));
        }
        return numbers;
    }
    [[nodiscard]] PortRetry& end_of_a() { return a.dataplane.retries().end(1); }
    [[nodiscard]] PortRetry& end_of_b() { return b.dataplane.retries().end(0); }

    Rig a;
    Rig b;
    Way forth;
    Way back;
    uint32_t sent = 0;
    int delay = 0;  // additional turns that a frame is on the cable
    std::function<bool(const Octets&)> loses = [](const Octets&) { return false; };
    // Whether a frame of retry is delivered twice.
    std::function<bool()> doubles = [] { return false; };
    std::function<bool()> swaps = [] { return false; };
    std::function<bool()> holds = [] { return false; };

  private:
    struct Late {
        std::deque<std::pair<int, Octets>> under_way;  // each with its turn of arrival
        Way here;
    };
    Way& take_its_time(Way& way, Late& late) {
        if (delay == 0 && late.under_way.empty()) return way;
        for (; !way.empty(); way.pop_front()) {
            late.under_way.emplace_back(turns_ + delay, std::move(way.front()));
        }
        for (; !late.under_way.empty() && late.under_way.front().first <= turns_;
             late.under_way.pop_front()) {
            late.here.push_back(std::move(late.under_way.front().second));
        }
        return late.here;
    }
    static void connect(Rig& rig, PortIndex port, Way& way) {
        rig.ports.on_sent = [port, &way](PortIndex output, const Frame& frame) {
            if (output == port) way.emplace_back(frame.data, frame.data + frame.length);
        };
        rig.ports.on_generated = [port, &way](PortIndex output, std::span<const uint8_t> octets) {
            if (output == port) way.emplace_back(octets.begin(), octets.end());
        };
    }
    void pass(Way& way, Rig& rig, PortIndex port) {
        for (std::size_t n = 1; n < way.size(); ++n) {
            const bool are_of_retry = is_of_retry(way[n - 1]) && is_of_retry(way[n]);
            if (are_of_retry && swaps()) std::swap(way[n - 1], way[n]);
        }
        for (; !way.empty() && !holds(); way.pop_front()) {
            if (loses(way.front())) continue;
            if (is_of_retry(way.front()) && doubles()) rig.ports.arrive(port, {way.front()});
            rig.ports.arrive(port, {std::move(way.front())});
        }
    }

    int turns_ = 0;
    Late late_forth_;
    Late late_back_;
};

}  // namespace sluice::test
