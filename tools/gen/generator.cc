#include "tools/gen/generator.h"

#include <algorithm>
#include <bit>

namespace sluice::gen {

Generator::Generator(std::span<Link* const> links, const Traffic& traffic, Nanos start) {
    ReceiverSettings receivers;
    receivers.ports = traffic.senders.pattern.ports;
    receivers.run = traffic.senders.run;
    receivers.host = traffic.host;
    receivers.pauses = traffic.pauses;
    receivers.pauses_from = traffic.pauses_from;
    receivers.speed = traffic.senders.speed;
    receivers.streams = traffic.streams.size();
    for (PortIndex port = 0; port < links.size(); ++port) {
        stations_.emplace_back(new Station{{}, Receiver(receivers, port, *links[port], start)});
        const bool talks = (traffic.talkers & only(port)) != 0;
        if (!traffic.streams.empty() || !talks || !sends(traffic.senders.pattern, port)) continue;
        stations_[port]->senders.push_back(
            std::make_unique<Sender>(traffic.senders, port, *links[port], start));
    }
    for (std::size_t number = 0; number < traffic.streams.size(); ++number) {
        const Stream& stream = traffic.streams[number];
        SenderSettings settings = stream.sender;
        settings.run = traffic.senders.run;
        settings.first_sequence = first_of_stream(number);
        auto& senders = stations_[stream.from]->senders;
        senders.push_back(
            std::make_unique<Sender>(settings, stream.from, *links[stream.from], start));
        const auto priority = static_cast<Priority>(std::countr_zero(settings.pattern.priorities));
        streams_.push_back(
            {senders.back().get(), {stream.from, settings.pattern.only_to.value(), priority}});
    }
}

void Generator::set_rate(Rate rate, Nanos now) {
    for (auto& station : stations_) {
        for (const auto& sender : station->senders) sender->set_rate(rate, now);
    }
}

std::optional<Nanos> Generator::last_gap() const {
    std::optional<Nanos> last;  // an empty optional is less than any time
    for (const auto& station : stations_) last = std::max(last, station->receiver.last_gap());
    return last;
}

void Generator::drain() {
    for (auto& station : stations_) station->receiver.drain();
}

bool Generator::finished() const {
    return std::ranges::all_of(stations_, [](const auto& station) {
        return std::ranges::all_of(station->senders,
                                   [](const auto& sender) { return sender->finished(); });
    });
}

uint64_t Generator::frames_sent(PortIndex port) const {
    uint64_t frames = 0;
    for (const auto& sender : stations_[port]->senders) frames += sender->frames();
    return frames;
}

Results Generator::results() const {
    Results sum;
    if (streams_.empty()) {
        add_flows(sum);
    } else {
        add_streams(sum);
    }
    for (const FlowResult& row : sum.flows) {
        (row.of_probes ? sum.offered : sum.raw) += row.offered;
        sum.delivered += row.delivered;
        sum.lost += row.lost();
        sum.reordered += row.reordered;
        sum.duplicates += row.duplicates;
    }
    for (const auto& station : stations_) {
        const Receiver& receiver = station->receiver;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            sum.pauses_received[priority] += receiver.pauses_received(priority);
        }
        for (const auto& sender : station->senders) {
            sum.bursts += sender->bursts();
            sum.refusals += sender->refusals();
        }
        sum.strays += receiver.strays();
        sum.octets_delivered += receiver.octets();
        sum.pause_frames_received += receiver.pause_frames_received();
        sum.pause_frames_sent += receiver.pause_frames_sent();
        sum.latency.merge(receiver.latency());
    }
    return sum;
}

void Generator::add_flows(Results& sum) const {
    for (PortIndex port = 0; port < ports(); ++port) {
        const Receiver& receiver = stations_[port]->receiver;
        for (PortIndex sender = 0; sender < ports(); ++sender) {
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                const Flow flow{sender, port, priority};
                const FlowMeter& meter = receiver.flow(sender, priority);
                const FlowResult row{.flow = flow,
                                     .offered = offered(flow),
                                     .delivered = meter.delivered(),
                                     .reordered = meter.reordered(),
                                     .duplicates = meter.duplicates(),
                                     .latency = receiver.latency(sender, priority)};
                if (row.offered > 0 || row.delivered > 0) sum.flows.push_back(row);
            }
        }
    }
}

void Generator::add_streams(Results& sum) const {
    for (std::size_t number = 0; number < streams_.size(); ++number) {
        const auto& [sender, flow] = streams_[number];
        const Receiver& receiver = stations_[flow.receiver]->receiver;
        const FlowMeter& meter = receiver.stream(number);
        sum.flows.push_back({.flow = flow,
                             .offered = sender->offered(flow.receiver, flow.priority),
                             .delivered = meter.delivered(),
                             .reordered = meter.reordered(),
                             .duplicates = meter.duplicates(),
                             .latency = receiver.stream_latency(number),
                             .stream = number,
                             .of_probes = sender->sends_probes()});
    }
}

uint64_t Generator::offered(const Flow& flow) const {
    if (flow.is_broadcast()) return 0;  // a station does not receive its own broadcasts
    uint64_t frames = 0;
    for (const auto& sender : stations_[flow.sender]->senders) {
        frames += sender->offered(flow.receiver, flow.priority) +
                  sender->offered(flow.sender, flow.priority);
    }
    return frames;
}

std::size_t announce(std::span<Link* const> links, VlanId vlan, FormatFamily family,
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
    constexpr int most_bursts = 256;  // some devices always have frames
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
