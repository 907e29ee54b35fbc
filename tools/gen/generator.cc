#include "tools/gen/generator.h"

#include <algorithm>

namespace sluice::gen {

Generator::Generator(std::span<Link* const> links, const Traffic& traffic, Nanos start) {
    ReceiverSettings receivers;
    receivers.ports = traffic.senders.pattern.ports;
    receivers.run = traffic.senders.run;
    receivers.host = traffic.host;
    receivers.pauses = traffic.pauses;
    receivers.pauses_from = traffic.pauses_from;
    receivers.speed = traffic.senders.speed;
    for (PortIndex port = 0; port < links.size(); ++port) {
        const bool talks = (traffic.talkers & only(port)) != 0;
        stations_.emplace_back(new Station{Sender(traffic.senders, port, *links[port], start),
                                           Receiver(receivers, port, *links[port], start),
                                           talks && sends(traffic.senders.pattern, port)});
    }
}

void Generator::set_rate(Rate rate, Nanos now) {
    for (auto& station : stations_) station->sender.set_rate(rate, now);
}

std::optional<Nanos> Generator::last_gap() const {
    std::optional<Nanos> last;  // nothing is before everything
    for (const auto& station : stations_) last = std::max(last, station->receiver.last_gap());
    return last;
}

void Generator::drain() {
    for (auto& station : stations_) station->receiver.drain();
}

bool Generator::finished() const {
    return std::ranges::all_of(stations_, [](const auto& station) {
        return !station->sends || station->sender.finished();
    });
}

Results Generator::results() const {
    Results sum;
    for (PortIndex port = 0; port < ports(); ++port) {
        const Receiver& receiver = stations_[port]->receiver;
        for (PortIndex sender = 0; sender < ports(); ++sender) {
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                const FlowMeter& meter = receiver.flow(sender, priority);
                const FlowResult row{{sender, port, priority}, offered({sender, port, priority}),
                                     meter.delivered(),        meter.reordered(),
                                     meter.duplicates(),       receiver.latency(sender, priority)};
                if (row.offered == 0 && row.delivered == 0) continue;
                sum.flows.push_back(row);
                sum.offered += row.offered;
                sum.delivered += row.delivered;
                sum.lost += row.lost();
                sum.reordered += row.reordered;
                sum.duplicates += row.duplicates;
            }
        }
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            sum.pauses_heard[priority] += receiver.pauses_heard(priority);
        }
        sum.bursts += stations_[port]->sender.bursts();
        sum.refusals += stations_[port]->sender.refusals();
        sum.strays += receiver.strays();
        sum.octets_delivered += receiver.octets();
        sum.pause_frames_heard += receiver.pause_frames_heard();
        sum.pause_frames_sent += receiver.pause_frames_sent();
        sum.latency.merge(receiver.latency());
    }
    return sum;
}

uint64_t Generator::offered(const Flow& flow) const {
    if (flow.is_broadcast()) return 0;  // nobody hears its own
    const Sender& sender = stations_[flow.sender]->sender;
    return sender.offered(flow.receiver, flow.priority) +
           sender.offered(flow.sender, flow.priority);
}

std::size_t announce(std::span<Link* const> links, VlanId vlan, Family family,
                     AddressRange addresses) {
    std::size_t sent = 0;
    for (PortIndex port = 0; port < links.size(); ++port) {
        for (uint32_t n = 0; n < addresses.count; ++n) {
            Frame frame;
            if (!links[port]->allocate({&frame, 1}, probe_octets)) continue;
            write_announcement(std::span<uint8_t, probe_octets>(frame.data, probe_octets), port,
                               vlan, family, addresses.first + n);
            if (links[port]->transmit({&frame, 1}) == 1) {
                ++sent;
            } else {
                links[port]->release({&frame, 1});
            }
        }
    }
    return sent;
}

void discard_arrivals(std::span<Link* const> links) {
    constexpr int most_bursts = 256;  // there are devices that never run dry
    std::array<Frame, burst_frames> frames;
    for (Link* link : links) {
        for (int burst = 0; burst < most_bursts; ++burst) {
            const std::size_t count = link->receive(frames);
            if (count == 0) break;
            link->release(std::span(frames).first(count));
        }
    }
}

}  // namespace sluice::gen
