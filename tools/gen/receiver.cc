#include "tools/gen/receiver.h"

namespace sluice::gen {

Receiver::Receiver(const ReceiverSettings& settings, PortIndex self, Link& link, Nanos start)
    : settings_(settings),
      self_(self),
      link_(link),
      host_(settings.host),
      pacer_(settings.host, start),
      flows_(settings.streams > 0 ? settings.streams : settings.ports * max_priorities),
      flow_latency_(flows_.size()),
      backlog_(backlog_frames) {
    pause_sender_.configure(Quanta(65535), settings.speed, 0);
}

Receiver::~Receiver() {
    for (; head_ != tail_; ++head_) link_.release({&backlog_[head_ % backlog_frames], 1});
}

void Receiver::serve_host(Nanos now) {
    pacer_.advance(now);
    while (head_ != tail_ && (!slow() || pacer_.due())) {
        const Frame& frame = backlog_[head_++ % backlog_frames];
        pacer_.charge(static_cast<uint16_t>(frame.length + fcs_octets));
        link_.release({&frame, 1});
    }
}

void Receiver::record(const Alike& alike, Nanos now) {
    if (alike.frames == 0) return;
    if (alike.sequence > flows_[alike.flow].next()) last_gap_ = now;
    flows_[alike.flow].arrived(alike.sequence, alike.frames);
    latency_.record(alike.age, alike.frames);
    auto& of_flow = flow_latency_[alike.flow];
    if (!of_flow) of_flow = std::make_unique<FlowHistogram>();
    of_flow->record(alike.age, alike.frames);
}

bool Receiver::read(std::span<const uint8_t> octets, PauseFrame& pause) {
    if (read_pause_frame(octets, {}, pause) != Drop::none) return false;
    pause_frames_received_.add(1);
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const bool named = (pause.enabled & only_priority(priority)) != 0;
        if (named && pause.time[priority] != 0) xoffs_received_[priority].add(1);
    }
    return true;
}

void Receiver::keep(std::span<const Frame> arrived) {
    if (!slow()) return link_.release(arrived);
    for (const Frame& frame : arrived) backlog_[tail_++ % backlog_frames] = frame;
}

// Sends XOFF and XON by the number of frames in the backlog.
void Receiver::pause_if_congested(Nanos now) {
    if (settings_.pauses == 0 || now < settings_.pauses_from) return;
    const std::size_t waiting = tail_ - head_;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if ((settings_.pauses & only_priority(priority)) == 0) continue;
        if (slow() && waiting > xoff_frames) pause_sender_.pause(priority);
        if (waiting <= xon_frames) pause_sender_.resume(priority);
    }
    if (!pause_sender_.due(now)) return;
    Frame frame;
    if (!link_.allocate({&frame, 1}, pause_frame_octets)) return;
    write_pause_frame(std::span<uint8_t, pause_frame_octets>(frame.data, pause_frame_octets),
                      station_address(self_), pause_sender_.frame());
    if (link_.transmit({&frame, 1}) == 1) {
        pause_sender_.sent(now);
        pause_frames_sent_.add(1);
    } else {
        link_.release({&frame, 1});
    }
}

void Receiver::drain() { host_ = Rate{}; }

}  // namespace sluice::gen
