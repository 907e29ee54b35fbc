// Host: a host at a cable of the switch: a Sender and a Sink that share the cable.
//
// It obeys received pause frames (sender.h), and sends its own before data. It acknowledges each
// frame that requests it (frame_report.h).
// Frames of a flow under Go-Back-N are accepted only in order (go_back_n.h). Frames of a flow under
// selective repeat are accepted once each, and a trimmed frame is requested again at once
// (selective.h). Trimmed frames of other flows are lost.
// After `set_notices` the host answers frames that were marked on the way with congestion notices:
// one for each `interval` to each source that sent such a frame. After `merge_notices` some
// received notices are not passed to the host's sources (congestion/cnp_merge.h). Answers are also
// sent before data, in the order in which they were made, but wait while their priority is paused.
// After `set_receive` received frames wait in a buffer, at whose levels the host pauses the switch
// (receive_buffer.h); otherwise the host takes frames at once. A frame with end-to-end credit is
// acknowledged when it leaves the buffer. A frame that requests a pull is acknowledged at once; its
// pull is sent at the speed of the host's cable, in the order in which the frames arrived.
// The stages between the wire and the application, and those of an answer before the wire, add a
// delay but do not block other frames (`Stages`); for a flow's own frames the source adds the
// delay. The MAC handles pause frames without this delay.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tools/sim/network/congestion/cnp_merge.h"
#include "tools/sim/network/congestion/explicit_rate.h"
#include "tools/sim/network/flow_table.h"
#include "tools/sim/network/frame_layout.h"
#include "tools/sim/network/go_back_n.h"
#include "tools/sim/network/network.h"
#include "tools/sim/network/receive_buffer.h"
#include "tools/sim/network/selective.h"
#include "tools/sim/network/sender.h"
#include "tools/sim/network/sink.h"

namespace sluice::sim {

class Host : public Port {
  public:
    // A frame of data that the other end of the cable sent.
    struct Arrival {
        Priority priority;
        Picos began;  // when the other end began to send the frame
    };

    Host(Network& network, MacAddress address, BitsPerSecond speed)
        : Port(network), sender(address, speed), address_(address), speed_(speed) {}

    // `priority_of`: the priority that the switch gives to a frame without IP, by its PCP; the
    // pauses and the credit of this priority apply to the frame. Call set_framing before all other
    // functions.
    struct Framing {
        FrameFormat format{};
        std::array<Priority, max_priorities> priority_of = {0, 1, 2, 3, 4, 5, 6, 7};
    };
    void set_framing(const Framing& framing, uint8_t acknowledges_with_pcp) {
        framing_ = framing;
        acknowledges_as_ = form_of(acknowledges_with_pcp);
    }
    struct Stages {
        Picos transmit;
        Picos receive;
    };
    void set_stages(const Stages& stages) {
        transmit_stage_ = stages.transmit;
        receive_stage_ = stages.receive;
    }

    // `quanta` of 0 ends the pause.
    void send_pause(Priority priority, uint16_t quanta) {
        PauseFrame pause;
        pause.enabled = only_priority(priority);
        pause.time.fill(quanta);
        post(pause);
        look();
    }
    // Makes received frames wait from now on, and pause the switch.
    void set_receive(const ReceiveSettings& settings) {
        received_ = std::make_unique<ReceiveBuffer>(settings, speed_);
    }
    // Returns null if the host takes frames at once.
    [[nodiscard]] const ReceiveBuffer* receive_buffer() const { return received_.get(); }
    // Stops returning credit of a priority while `kept`. Returns false if the host's cable has no
    // credit; then the host has to pause the switch instead.
    bool keep_credit(Priority priority, bool kept) {
        if (gives_ == nullptr) return false;
        gives_->keep(priority, kept);
        return true;
    }
    struct Notices {
        Nanos interval;
        uint8_t pcp;
    };
    void set_notices(const Notices& notices) {
        notices_ = std::make_unique<NoticeForm>(
            NoticeForm{.interval = picos(notices.interval), .as = form_of(notices.pcp)});
    }
    // Makes the host return the CSIG tags of received frames in its acknowledgements.
    void set_csig(const CsigSettings& settings) { csig_ = CsigTags(settings); }
    // Makes the host advise a rate in each acknowledgement.
    void set_advisor(const ExplicitRateSettings& settings, BitsPerSecond capacity) {
        advisor_ = std::make_unique<RateAdvisor>(settings, capacity);
    }
    void merge_notices(Nanos interval) { merge_.emplace(picos(interval)); }
    void post(std::size_t source, const Message& message) {
        sender.source(source).post(message);
        look();
    }
    void set_rate(BitsPerSecond rate) {
        sender.set_rate(rate);
        look();
    }

    // Sets the lines whose credit the host spends and returns. The host returns the credit of a
    // frame as soon as it takes or refuses the frame.
    void set_credit(const CreditEnds& ends) {
        sender.set_credit(ends.spends);
        gives_ = ends.gives;
    }

    void look() override {
        const Picos now = network_.now();
        if (sender.has_received_pauses()) [[unlikely]] {
            for (const Picos end : sender.obey(now)) network_.look_at(end, *this);
        }
        if (received_) look_at_received(now);
        if (!is_idle()) return look_when_idle();
        if (of_its_own_ != 0) [[unlikely]] {
            if (Packet* const own = next_of_its_own(now)) return begin(*own);
        }
        Packet& packet = network_.packets().take();
        if (!sender.next(packet, now)) {
            network_.packets().give(packet);
            return look_when_due();
        }
        network_.packets().begin_report(packet, now);
        if (on_sent) on_sent(packet);
        begin_unwatched(packet);
        const Picos next = of_its_own_ != 0 ? free_at() : sender.ready_from(free_at());
        if (next > free_at()) return wake_at(next);
        look_when_idle();
    }
    void arrive(Packet& packet) override {
        const Picos now = network_.now();
        const bool control = read_16(&packet.octets[12]) == mac_control_ether_type;
        if (control && receive_pause(packet, now)) [[unlikely]]
            return network_.packets().give(packet);
        if (const Answer answer = answer_of(packet); answer != Answer::none) {
            if (gives_ != nullptr) gives_->give_back(packet, now);
            receive(answer, packet);
        } else if (packet.any_order || packet.trimmed) {
            receive_selectively(packet, now);
        } else if (packet.in_order && !in_order_.expects(packet)) {
            refuse(packet, now);
        } else if (!received_ || keep(packet, now)) {
            take(packet, now);
        } else if (on_lost) {
            on_lost(packet);
        }
        network_.packets().give(packet);
    }

  private:
    // Fields that most frames need are together, in cache lines of their own: first the fields for
    // sending a frame, then those for receiving one. They follow the fields that every port needs.
    struct NoticeForm;
    alignas(64) Picos wakes_at_;
    Picos idle_at_;               // time of the scheduled look at the end of a frame
    std::size_t of_its_own_ = 0;  // number of pauses and answers that wait
    std::unique_ptr<ReceiveBuffer> received_;

  public:
    // Callbacks, for the counters of flows.
    std::function<void(const Packet&)> on_sent;
    Sender sender;
    std::function<void(const Packet&)> on_arrival;
    bool keeps_arrivals = false;

  private:
    Picos receive_stage_;
    CreditLine* gives_ = nullptr;
    std::unique_ptr<NoticeForm> notices_;

  public:
    Sink sink;
    std::function<void(const Packet&)> on_refused;  // a frame arrived out of order
    // A trimmed frame arrived, and is requested again.
    std::function<void(const Packet&)> on_trimmed;
    // The buffer was full, or the frame was trimmed and has no recovery.
    std::function<void(const Packet&)> on_lost;
    std::function<void(uint16_t row)> on_notice;  // the host received a notice
    std::function<void(uint16_t row)> on_merged;  // a received notice was merged
    std::vector<Arrival> arrivals;
    std::optional<Picos> first_pause_received;  // arrival of the pause's last bit

  protected:
    [[nodiscard]] Picos takes_at(const Packet& packet, Picos /*first*/, Picos last) const override {
        const bool control = read_16(&packet.octets[12]) == mac_control_ether_type;
        return control ? last : last + receive_stage_;
    }

  private:
    // The header of answers, and the priority whose pauses and credit apply to them.
    struct AnswerForm {
        FrameHeader header{};
        Priority priority = 6;
    };
    struct NoticeForm {
        Picos interval;
        AnswerForm as;
    };
    struct Reply {
        Picos at;  // when the answer may be sent
        Packet* packet;
    };

    [[nodiscard]] AnswerForm form_of(uint8_t pcp) const {
        return {answer_header(framing_.format, address_, pcp), framing_.priority_of[pcp]};
    }
    // Returns a pause frame or an answer that may be sent now; null if there is none.
    [[gnu::noinline]] Packet* next_of_its_own(Picos now) {
        if (!pauses_.empty()) {
            Packet* const pause = pauses_.front();
            pauses_.pop_front();
            --of_its_own_;
            return pause;
        }
        for (std::deque<Reply>* const replies : {&answers_, &credits_, &pulls_}) {
            if (replies->empty() || replies->front().at > now) continue;
            Packet* const packet = replies->front().packet;
            if (!sender.lets_out(*packet, now)) continue;
            replies->pop_front();
            --of_its_own_;
            return packet;
        }
        return nullptr;
    }
    void take(Packet& packet, Picos now) {
        if (gives_ != nullptr) gives_->give_back(packet, now);
        if (notices_ && is_marked(packet)) notify(packet);
        if (packet.in_order) in_order_.take(packet);
        if (packet.report != nullptr) acknowledge(packet, now);
        sink.take(packet);
        if (on_arrival) on_arrival(packet);
        if (keeps_arrivals) arrivals.push_back({packet.priority, now - under_way(packet)});
    }
    [[gnu::noinline]] void refuse(Packet& packet, Picos now) {
        if (gives_ != nullptr) gives_->give_back(packet, now);
        if (notices_ && is_marked(packet)) notify(packet);
        in_order_.refuse(packet);
        if (on_refused) on_refused(packet);
        answer(answers_, now, Answer::acknowledgement, packet, acknowledges_as_);
    }
    // Receives a frame under selective repeat. A frame that arrived before is acknowledged again.
    [[gnu::noinline]] void receive_selectively(Packet& packet, Picos now) {
        if (!packet.any_order) {
            if (gives_ != nullptr) gives_->give_back(packet, now);
            if (on_lost) on_lost(packet);
            return;
        }
        const bool is_new = any_order_.expects(packet);
        if (is_new && !packet.trimmed) {
            if (received_ && !keep(packet, now)) {
                if (on_lost) on_lost(packet);
                return;
            }
            any_order_.take(packet);
            return take(packet, now);
        }
        if (gives_ != nullptr) gives_->give_back(packet, now);
        packet.report->refused = is_new;
        if (packet.trimmed) {
            if (on_trimmed) on_trimmed(packet);
        } else if (on_refused) {
            on_refused(packet);
        }
        if (is_pulled(packet)) return pull(packet, now);
        answer(answers_, now, Answer::acknowledgement, packet, acknowledges_as_);
    }
    static bool is_pulled(const Packet& frame) {
        return frame.needs_pull || (frame.asks == Asks::pull && frame.trimmed);
    }
    // Obeys a pause frame. Returns false if the packet is not one.
    [[gnu::noinline]] bool receive_pause(const Packet& packet, Picos now) {
        PauseFrame pause;
        if (read_pause_frame(packet.octets, {}, pause) != Drop::none) return false;
        network_.look_at(sender.receive(pause, now), *this);
        if (!first_pause_received) first_pause_received = now;
        return true;
    }
    void post(const PauseFrame& pause) {
        Packet& packet = network_.packets().take();
        write_pause_frame(packet.pause_octets(), address_, pause);
        packet.length = pause_frame_octets;
        pauses_.push_back(&packet);
        ++of_its_own_;
    }
    [[gnu::noinline]] bool keep(const Packet& packet, Picos now) {
        received_->take(now);
        const bool kept = received_->put(packet.priority, Bytes(packet.length) + fcs, now);
        look();
        return kept;
    }
    [[gnu::noinline]] void look_at_received(Picos now) {
        received_->take(now);
        if (const auto pause = received_->pause_frame(now)) post(*pause);
        const Picos next = received_->next();
        if (next == Schedule::never || (received_looks_at_ > now && received_looks_at_ <= next)) {
            return;
        }
        received_looks_at_ = next;
        network_.look_at(next, *this);
    }
    [[gnu::noinline]] void notify(Packet& marked) {
        const Picos now = network_.now();
        std::optional<Picos>& notified = notified_at_[marked.flow];
        if (notified && now - *notified < notices_->interval) return;
        notified = now;
        answer(answers_, now, Answer::congestion, marked, notices_->as);
    }
    [[gnu::noinline]] void acknowledge(Packet& frame, Picos now) {
        if (is_pulled(frame)) return pull(frame, now);
        const bool waits = frame.asks == Asks::credit && received_;
        if (waits && frame.in_order) {  // acknowledged at once; the credit is returned later
            answer_with_copy(frame, now);
        }
        frame.report->credit = frame.asks == Asks::credit;
        answer(waits ? credits_ : answers_, waits ? received_->taken_at() : now,
               Answer::acknowledgement, frame, acknowledges_as_);
    }
    // Pulls are spaced by the time that the pulled frame takes on the cable.
    void pull(Packet& frame, Picos now) {
        const Picos at = std::max(now, pulls_from_);
        pulls_from_ = at + time_of(frame.report->on_wire);
        frame.report->pull = Pull::follows;
        answer_with_copy(frame, now);
        frame.report->pull = Pull::is_this;
        answer(pulls_, at, Answer::acknowledgement, frame, acknowledges_as_);
    }
    // Returns the time until all received frames have left the buffer.
    [[nodiscard]] Picos waits() const {
        const Picos now = network_.now();
        return received_ ? std::max(received_->taken_at() - now, Picos(0)) : Picos(0);
    }
    void answer_with_copy(Packet& frame, Picos now) {
        FrameReport* const report = frame.report;
        network_.packets().copy_report(frame, *report);
        answer(answers_, now, Answer::acknowledgement, frame, acknowledges_as_);
        frame.report = report;
    }
    // Queues an answer, with the report of the packet that it answers.
    void answer(std::deque<Reply>& replies, Picos time, Answer what, Packet& answered,
                const AnswerForm& as) {
        Packet& reply = network_.packets().take();
        write_answer(reply, what, answered, as.header, framing_.format);
        reply.priority = as.priority;
        if (what == Answer::acknowledgement) {
            answered.report->marked = is_marked(answered) || answered.trimmed;
            if (advisor_)
                answered.report->rate = advisor_->advise(answered.flow, waits(), network_.now());
            if (answered.csig != 0) answered.report->csig = csig_of(answered, csig_);
            reply.report = std::exchange(answered.report, nullptr);
        }
        const Picos ready = time + transmit_stage_;
        replies.push_back({ready, &reply});
        ++of_its_own_;
        if (ready > network_.now()) {
            network_.look_at(ready, *this);
        } else {
            look();
        }
    }
    [[gnu::noinline]] void receive(Answer what, const Packet& packet) {
        const Picos now = network_.now();
        if (what == Answer::acknowledgement) {
            sender.receive_acknowledgement(pair_of(packet), *packet.report, now);
            return look();
        }
        const uint32_t pair = pair_of(packet);
        const bool passes = !merge_ || merge_->passes(pair, now);
        const uint16_t row = sender.receive_notice(pair, now, passes);
        if (on_notice) on_notice(row);
        if (!passes && on_merged) on_merged(row);
    }
    // Schedules a look at the end of the frame on the wire, unless it is already scheduled.
    void look_when_idle() {
        if (idle_at_ == free_at()) return;
        idle_at_ = free_at();
        network_.look_at(idle_at_, *this);
    }
    void look_when_due() { wake_at(sender.next_due(network_.now())); }
    // Schedules a look at `due`, unless a look at or before `due` is already scheduled.
    void wake_at(Picos due) {
        const Picos now = network_.now();
        if (due == Schedule::never || (wakes_at_ > now && wakes_at_ <= due)) return;
        wakes_at_ = due;
        network_.look_at(due, *this);
    }
    // Returns the time from a packet's first bit at the sender to its last bit at the receiver.
    [[nodiscard]] Picos under_way(const Packet& packet) const {
        return time_of(packet.on_wire() - gap) + delay() + receive_stage_;
    }

    MacAddress address_;
    BitsPerSecond speed_;
    Picos received_looks_at_;
    std::deque<Packet*> pauses_;
    Framing framing_;
    Picos transmit_stage_;
    AnswerForm acknowledges_as_ = form_of(6);
    std::deque<Reply> answers_;
    // Answers that return end-to-end credit when frames leave the buffer.
    std::deque<Reply> credits_;
    std::deque<Reply> pulls_;
    Picos pulls_from_;  // when the next pull may be sent
    InOrder in_order_;
    AnyOrder any_order_;
    FlowTable<std::optional<Picos>> notified_at_;  // time of the last notice, by flow
    std::optional<CnpMerge> merge_;
    CsigTags csig_;
    std::unique_ptr<RateAdvisor> advisor_;
};

}  // namespace sluice::sim
