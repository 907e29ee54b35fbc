// Host: the far end of a cable of the switch: a Sender and a Sink that share it.
//
// It obeys the pause frames that it receives (sender.h), and sends those that it is given, ahead of
// data. It acknowledges each frame that asks for it (frame_report.h). Where it is told to, it
// answers frames that were marked on the way with notices of congestion: to each source that sent
// such a frame one for each `interval`, which is also how RC Link merges them (CNP merge). Answers
// go ahead of data too, in the order in which they came to be, but wait where their priority is
// paused.
// Where it is told to, what it received waits until it takes it, and pauses the switch
// (receive_buffer.h); else it takes everything at once.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tools/sim/network/frame_layout.h"
#include "tools/sim/network/network.h"
#include "tools/sim/network/receive_buffer.h"
#include "tools/sim/network/sender.h"
#include "tools/sim/network/sink.h"

namespace sluice::sim {

class Host : public Port {
  public:
    // A frame of data that the other end of the cable sent.
    struct Arrival {
        Priority priority;
        Picos began;  // when the other end began to send it
    };

    Host(Network& network, MacAddress address, BitsPerSecond speed)
        : Port(network), sender(address, speed), address_(address), speed_(speed) {}

    // Quanta 0: the pause ends.
    void send_pause(Priority priority, uint16_t quanta) {
        PauseFrame pause;
        pause.enabled = only_priority(priority);
        pause.time.fill(quanta);
        post(pause);
        look();
    }
    // What it received waits from now on, and pauses the switch.
    void set_receive(const ReceiveSettings& settings) { received_.emplace(settings, speed_); }
    [[nodiscard]] const std::optional<ReceiveBuffer>& receive_buffer() const { return received_; }
    // It gives none back for a priority. False: it has no credit, so it pauses.
    bool keep_credit(Priority priority, bool kept) {
        if (gives_ == nullptr) return false;
        gives_->keep(priority, kept);
        return true;
    }
    struct Notices {
        Nanos interval;
        Priority priority;
    };
    void set_notices(const Notices& notices) { tells_ = notices; }
    void set_acknowledging(Priority priority) { acknowledges_as_ = priority; }
    void post(std::size_t source, const Message& message) {
        sender.source(source).post(message);
        look();
    }
    void set_rate(BitsPerSecond rate) {
        sender.set_rate(rate);
        look();
    }

    // Credit that it spends, and that it gives back: at once, as nothing waits here.
    void set_credit(const CreditEnds& ends) {
        sender.set_credit(ends.spends);
        gives_ = ends.gives;
    }

    void look() override {
        const Picos now = network_.now();
        for (const Picos end : sender.obey(now)) network_.look_at(end, *this);
        if (received_) look_at_received(now);
        if (!is_idle()) return;
        if (!pauses_.empty()) {
            begin(*pauses_.front());
            pauses_.pop_front();
            return;
        }
        if (!answers_.empty() && sender.lets_out(*answers_.front(), now)) {
            begin(*answers_.front());
            answers_.pop_front();
            return;
        }
        Packet& packet = network_.packets().take();
        if (!sender.next(packet, now)) {
            network_.packets().give(packet);
            return look_when_due();
        }
        network_.packets().begin_report(packet, now);
        if (on_sent) on_sent(packet);
        begin(packet);
        if (sender.not_before() > free_at()) network_.look_at(sender.not_before(), *this);
    }
    void arrive(Packet& packet) override {
        const Picos now = network_.now();
        PauseFrame pause;
        const bool control = read_16(&packet.octets[12]) == mac_control_ether_type;
        if (control && read_pause_frame(packet.octets, {}, pause) == Drop::none) {
            network_.look_at(sender.hear(pause, now), *this);
            if (!first_pause_heard) first_pause_heard = now;
        } else if (const Answer answer = answer_of(packet); answer != Answer::none) {
            if (gives_ != nullptr) gives_->give_back(packet, now);
            hear(answer, packet);
        } else if (!received_ || keep(packet, now)) {
            if (gives_ != nullptr) gives_->give_back(packet, now);
            if (tells_ && is_marked(packet)) tell(packet);
            if (packet.report != nullptr) acknowledge(packet);
            sink.take(packet);
            if (on_arrival) on_arrival(packet);
            if (keeps_arrivals) arrivals.push_back({packet.priority, now - under_way(packet)});
        } else if (on_lost) {
            on_lost(packet);
        }
        network_.packets().give(packet);
    }

    Sender sender;
    Sink sink;
    // For whoever counts.
    std::function<void(const Packet&)> on_sent;
    std::function<void(const Packet&)> on_arrival;
    std::function<void(const Packet&)> on_lost;   // it had no room
    std::function<void(uint16_t row)> on_notice;  // that it received
    bool keeps_arrivals = false;
    std::vector<Arrival> arrivals;
    std::optional<Picos> first_pause_heard;  // when its last bit was here

  private:
    void post(const PauseFrame& pause) {
        Packet& packet = network_.packets().take();
        write_pause_frame(packet.pause_octets(), address_, pause);
        packet.length = pause_frame_octets;
        pauses_.push_back(&packet);
    }
    bool keep(const Packet& packet, Picos now) {
        received_->take(now);
        const bool kept = received_->put(packet.priority, Bytes(packet.length) + fcs, now);
        look();
        return kept;
    }
    void look_at_received(Picos now) {
        received_->take(now);
        if (const auto pause = received_->pause_frame(now)) post(*pause);
        const Picos next = received_->next();
        if (next == Schedule::never || (received_looks_at_ > now && received_looks_at_ <= next)) {
            return;
        }
        received_looks_at_ = next;
        network_.look_at(next, *this);
    }
    void tell(const Packet& marked) {
        const Picos now = network_.now();
        const auto [told, first] = told_at_.try_emplace(marked.flow, now);
        if (!first && now - told->second < picos(tells_->interval)) return;
        told->second = now;
        answer(Answer::congestion, marked, tells_->priority);
        look();
    }
    void acknowledge(Packet& frame) {
        frame.report->marked = is_marked(frame);
        Packet& reply = answer(Answer::acknowledgement, frame, acknowledges_as_);
        reply.report = std::exchange(frame.report, nullptr);
        look();
    }
    Packet& answer(Answer what, const Packet& heard, Priority priority) {
        Packet& reply = network_.packets().take();
        write_answer(reply, what, heard, address_, priority);
        answers_.push_back(&reply);
        return reply;
    }
    void hear(Answer what, const Packet& packet) {
        const Picos now = network_.now();
        if (what == Answer::acknowledgement) {
            sender.hear_acknowledgement(pair_of(packet), *packet.report, now);
            return look();
        }
        const uint16_t row = sender.hear_notice(pair_of(packet), now);
        if (on_notice) on_notice(row);
    }
    // Once for each moment, however often there is nothing to send until then.
    void look_when_due() {
        const Picos now = network_.now();
        const Picos due = sender.next_due(now);
        if (due == Schedule::never || (wakes_at_ > now && wakes_at_ <= due)) return;
        wakes_at_ = due;
        network_.look_at(due, *this);
    }
    // From its first bit there to its last bit here.
    [[nodiscard]] Picos under_way(const Packet& packet) const {
        return cable().time_of(packet.on_wire() - gap) + cable().delay();
    }

    MacAddress address_;
    BitsPerSecond speed_;
    Picos wakes_at_;
    std::optional<ReceiveBuffer> received_;
    Picos received_looks_at_;
    std::deque<Packet*> pauses_;
    CreditLine* gives_ = nullptr;
    std::optional<Notices> tells_;
    Priority acknowledges_as_ = 6;
    std::deque<Packet*> answers_;
    std::unordered_map<uint32_t, Picos> told_at_;  // the last, by the flow's number
};

}  // namespace sluice::sim
