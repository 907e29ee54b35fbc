#include "tools/gen/sender.h"

#include <algorithm>

#include "dataplane/egress/strict_priority.h"

namespace sluice::gen {

Sender::Sender(const SenderSettings& settings, PortIndex self, Link& link, Nanos start)
    : settings_(settings),
      self_(self),
      link_(link),
      pattern_(settings.pattern, self),
      pacer_(settings.rate, start, settings.burst),
      next_sequence_(settings.pattern.ports * max_priorities, settings.first_sequence),
      turns_(settings.addresses > 1 ? next_sequence_.size() : 0),
      templates_(next_sequence_.size() * settings.pattern.frames.count) {
    PfcSettings pfc;
    pfc.lossless = settings.obeys;
    gate_.configure(pfc, settings.speed);
    auto next = templates_.begin();
    for (PortIndex receiver = 0; receiver < settings.pattern.ports; ++receiver) {
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            for (std::size_t part = 0; part < settings.pattern.frames.count; ++part) {
                *next++ = ProbeTemplate({self, receiver, priority}, settings.vlan, settings.run,
                                        settings.pattern.frames.parts[part].octets, settings.style);
            }
        }
    }
}

Sender::~Sender() {
    const auto release = [&](const Stock& stock) {
        link_.release(std::span(stock.frames).first(stock.count));
    };
    std::ranges::for_each(waiting_, release);
    std::ranges::for_each(spare_, release);
}

void Sender::receive(const PauseFrame& pause, Nanos now) {
    received_pauses_.emplace_back(now + settings_.response, pause);
    obey(now);
}

void Sender::obey(Nanos now) {
    while (!received_pauses_.empty() && received_pauses_.front().first <= now) {
        gate_.receive(received_pauses_.front().second, received_pauses_.front().first);
        received_pauses_.pop_front();
    }
}

std::size_t Sender::poll(Nanos now) {
    obey(now);
    pacer_.advance(now);
    const auto eligible =
        static_cast<PrioritySet>(settings_.pattern.priorities & ~gate_.paused(now));
    const uint64_t before = frames_.value();
    if (!retry(eligible, now)) return frames_.value() - before;

    std::array<Frame, burst_frames> frames;
    const auto burst = std::span(frames).first(build(eligible, frames));
    const std::size_t taken = transmit(burst, now);
    for (const Frame& frame : burst.subspan(taken)) {
        Stock& waiting = waiting_[frame.priority];
        waiting.frames[waiting.count++] = frame;
        refused_ |= only_priority(frame.priority);
    }
    return frames_.value() - before;
}

bool Sender::retry(PrioritySet eligible, Nanos now) {
    for (PrioritySet left = refused_ & eligible; left != 0;) {
        const Priority priority = highest(left);
        left &= static_cast<PrioritySet>(~only_priority(priority));
        Stock& waiting = waiting_[priority];
        const auto frames = std::span(waiting.frames).first(waiting.count);
        const std::size_t taken = transmit(frames, now);
        std::ranges::copy(frames.subspan(taken), frames.begin());
        waiting.count -= taken;
        if (waiting.count > 0 && settings_.queue_a_priority) continue;
        if (waiting.count > 0) return false;
        refused_ &= static_cast<PrioritySet>(~only_priority(priority));
    }
    return true;
}

// Builds new frames only of priorities without refused frames, since a new frame must not overtake
// a refused one.
std::size_t Sender::build(PrioritySet eligible, std::span<Frame> burst) {
    eligible &= static_cast<PrioritySet>(~refused_);
    if (eligible == 0) return 0;
    const FrameMix& mix = settings_.pattern.frames;
    const bool has_others =
        settings_.from_hosts != 0 || settings_.to_hosts != 0 || settings_.addresses > 1;
    std::size_t most = burst.size();
    if (settings_.frames != 0) most = std::min<uint64_t>(most, settings_.frames - built_);
    Pattern::Draw draw{};
    std::size_t count = 0;
    for (; count < most && pacer_.due(); ++count) {
        if (count == 0 || !pattern_.is_constant()) draw = pattern_.next(eligible);
        Stock& spare = spare_[draw.part];
        if (spare.count == 0 && !refill(draw.part))
            break;  // the draw is dropped before the frame gets a sequence number
        Frame& frame = burst[count];
        frame = spare.frames[--spare.count];
        frame.priority = draw.priority;
        const std::size_t flow = draw.receiver * max_priorities + draw.priority;
        const uint64_t sequence = next_sequence_[flow]++;
        if (sends_probes()) {
            templates_[flow * mix.count + draw.part].write(frame.data, sequence);
            if (has_others) write_others(draw, sequence, frame.data);
        } else {
            std::ranges::copy(settings_.octets, frame.data);
        }
        pacer_.charge(mix.parts[draw.part].octets);
    }
    built_ += count;
    return count;
}

bool Sender::refill(std::size_t part) {
    Stock& spare = spare_[part];
    const uint16_t octets = settings_.pattern.frames.parts[part].octets;
    if (!link_.allocate(spare.frames, static_cast<uint16_t>(octets - fcs_octets))) return false;
    spare.count = spare.frames.size();
    return true;
}

// Replaces the addresses, which have number 0, by those of the hosts or numbers that this frame
// uses.
void Sender::write_others(const Pattern::Draw& draw, uint64_t sequence, uint8_t* data) {
    if (settings_.addresses > 1) {
        const std::size_t flow = draw.receiver * max_priorities + draw.priority;
        const AddressTurns::Pair pair = turns_[flow].next(settings_.addresses);
        write_numbers(data, {self_, draw.receiver, draw.priority}, pair.from, pair.to);
    }
    const auto host = [&](uint32_t hosts) {
        return host_address(static_cast<uint32_t>(sequence % hosts));
    };
    if (settings_.to_hosts != 0) write_address(data, host(settings_.to_hosts));
    if (settings_.from_hosts != 0) write_address(data + source_offset, host(settings_.from_hosts));
}

std::size_t Sender::transmit(std::span<const Frame> frames, Nanos now) {
    if (frames.empty()) return 0;
    // The whole burst gets one time: reading the clock for each frame would cost too much.
    if (sends_probes()) {
        for (const Frame& frame : frames) stamp_time(frame.data, now);
    }
    const std::size_t taken = link_.transmit(frames);
    ++bursts_;
    if (taken < frames.size()) ++refusals_;
    std::size_t octets = 0;
    for (const Frame& frame : frames.first(taken)) octets += frame.length + fcs_octets;
    frames_.add(taken);
    octets_.add(octets);
    return taken;
}

bool Sender::finished() const { return settings_.frames != 0 && frames() == settings_.frames; }

uint64_t Sender::offered(PortIndex receiver, Priority priority) const {
    const Stock& waiting = waiting_[priority];
    const auto refused = std::ranges::count_if(
        std::span(waiting.frames).first(waiting.count), [&](const Frame& frame) {
            const auto probe = read_probe({frame.data, frame.length});
            return !probe || probe->flow.receiver == receiver;
        });
    return next_sequence_[receiver * max_priorities + priority] - settings_.first_sequence -
           static_cast<uint64_t>(refused);
}

}  // namespace sluice::gen
