// Host: the far end of a cable of the switch: a Sender and a Sink that share it.
//
// It obeys the pause frames that it receives (sender.h), and sends those that a test gives it,
// ahead of data.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "tests/lossless/network.h"
#include "tests/lossless/sender.h"
#include "tests/lossless/sink.h"
#include "tests/support/pauses.h"

namespace sluice::test {

class Host : public Port {
  public:
    // A frame of data that the other end of the cable sent.
    struct Arrival {
        Priority priority;
        Picos began;  // when the other end began to send it
    };

    Host(Network& network, MacAddress address, BitsPerSecond speed)
        : Port(network), sender(address, speed), address_(address) {}

    // Quanta 0: the pause ends.
    void send_pause(Priority priority, uint16_t quanta) {
        Packet& packet = network_.packets().take();
        write_pause_frame(packet.pause_octets(), address_,
                          pause_of(only_priority(priority), quanta));
        packet.length = pause_frame_octets;
        pauses_.push_back(&packet);
        look();
    }
    void set_rate(BitsPerSecond rate) {
        sender.set_rate(rate);
        look();
    }

    void look() override {
        const Picos now = network_.now();
        if (const auto ends = sender.obey(now)) network_.look_at(*ends, *this);
        if (!is_idle()) return;
        if (!pauses_.empty()) {
            begin(*pauses_.front());
            pauses_.pop_front();
            return;
        }
        Packet& packet = network_.packets().take();
        if (!sender.next(packet, now)) return network_.packets().give(packet);
        begin(packet);
        if (sender.not_before() > free_at()) network_.look_at(sender.not_before(), *this);
    }
    void arrive(Packet& packet) override {
        const Picos now = network_.now();
        const std::span<const uint8_t> octets(packet.octets);
        if (const auto pause = pause_in(octets)) {
            network_.look_at(sender.hear(*pause, now), *this);
            pauses_heard.push_back(now);
        } else {
            sink.take(packet);
            if (keeps_arrivals) arrivals.push_back({packet.priority, now - under_way(packet)});
        }
        network_.packets().give(packet);
    }

    Sender sender;
    Sink sink;
    bool keeps_arrivals = false;
    std::vector<Arrival> arrivals;
    std::vector<Picos> pauses_heard;  // when the last bit of each was here

  private:
    // From its first bit there to its last bit here.
    [[nodiscard]] Picos under_way(const Packet& packet) const {
        return cable().time_of(packet.on_wire() - gap) + cable().delay();
    }

    MacAddress address_;
    std::deque<Packet*> pauses_;
};

}  // namespace sluice::test
