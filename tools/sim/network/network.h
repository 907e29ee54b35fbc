// Network: virtual time, and the cables that carry frames.
//
// Two Ports are the ends of a Cable. A port sends one frame at a time: the wire is busy for the
// octets of the frame, preamble, FCS and gap, and the frame arrives at the other end with its last
// bit, or at the time that `takes_at` returns (switch_node.h). Events are ordered by time, and at
// one moment by the order of scheduling; so all runs are the same.
// Bound: the cost of an event does not depend on the number of pending events (event_queue.h).
// Not done here: which frames an end sends (host.h, switch_node.h).
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "dataplane/credits/credit_buffer.h"
#include "dataplane/credits/credit_receiver.h"
#include "dataplane/types/units.h"
#include "tools/sim/network/event_queue.h"
#include "tools/sim/network/packet.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

// Flow control of the lossless priorities of a cable (credit_line.h).
enum class FlowControl : uint8_t { pfc, credit, none };

struct Cable {
    BitsPerSecond speed{10'000'000'000};
    int64_t millimetres = 5'000;
    FlowControl flow_control = FlowControl::pfc;
    Bytes credit_buffer{0};  // for a priority at either end; 0 means as much as the cable needs
    CreditPace credit_pace{.quantum = Bytes(1), .refresh = Nanos(10'000)};
    uint32_t credit_lost_65536 = 0;  // share of credit updates that are lost

    [[nodiscard]] Picos delay() const { return Picos(cable_picoseconds(millimetres)); }
    [[nodiscard]] Picos time_of(Bytes octets) const { return octet_time(speed) * octets.count(); }
};

// Object that handles events.
class Actor {
  public:
    Actor() = default;
    Actor(const Actor&) = delete;
    Actor& operator=(const Actor&) = delete;
    virtual ~Actor() = default;

    // Called at a time that the actor asked for; there may be nothing left to do.
    virtual void look() = 0;
    // Called when the last bit of a frame arrives; the frame belongs to the actor from now on.
    virtual void arrive(Packet& /*packet*/) {}
    // Called after all events of a moment, if the actor asked for it.
    virtual void end_of_moment() {}
};

class Network {
  public:
    [[nodiscard]] Picos now() const { return now_; }
    PacketPool& packets() { return packets_; }
    [[nodiscard]] uint64_t events() const { return happened_; }
    // Returns the most memory that packets and events have used at one time.
    [[nodiscard]] Bytes memory() const { return packets_.memory() + events_.memory(); }

    // Calls look() of `who` at `time`, or now if `time` has passed.
    void look_at(Picos time, Actor& who) { events_.push(std::max(time, now_), &who, nullptr); }
    void deliver_at(Picos time, Actor& to, Packet& packet) {
        assert(time >= now_ && packet.holders > 0);
        events_.push(time, &to, &packet);
    }

    // Calls end_of_moment() of `who` at the end of this moment, once for each request.
    void call_at_end_of_moment(Actor& who) {
        if (to_be_called_ == nullptr) {
            to_be_called_ = &who;
        } else {
            others_to_be_called_.push_back(&who);
        }
    }

    void run_for(Nanos span) { run_until(now_ + picos(span)); }
    void run_until(Picos end) { run_some(end, UINT64_MAX); }
    // Runs at most `most` events before `end`, so that the caller may check whether to continue.
    // Returns false if `end` is not reached yet.
    bool run_some(Picos end, uint64_t most) {
        for (;;) {
            const Event* const next = events_.first();
            if (to_be_called_ != nullptr && (next == nullptr || next->at > now_)) {
                end_of_moment();
            } else if (next != nullptr && next->at <= end) {
                if (most-- == 0) return false;
                step(*next);
            } else {
                break;
            }
        }
        now_ = end;
        return true;
    }
    // Runs until `done` returns true, which is checked once every `between`. Returns false if
    // `limit` passed before.
    template <class Done>
    bool run_until(Done done, Nanos limit, Nanos between = Nanos(1'000)) {
        for (const Picos end = now_ + picos(limit); now_ < end;) {
            if (done()) return true;
            run_for(between);
        }
        return done();
    }

  private:
    void step(const Event event) {
        assert(event.at >= now_);
        events_.pop();
        ++happened_;
        now_ = event.at;
        if (event.packet != nullptr) {
            event.who->arrive(*event.packet);
        } else {
            event.who->look();
        }
    }

    // Actors that ask to be called during this call are called at the end of the next moment.
    void end_of_moment() {
        Actor* const first = std::exchange(to_be_called_, nullptr);
        if (others_to_be_called_.empty()) return first->end_of_moment();
        being_called_.swap(others_to_be_called_);
        first->end_of_moment();
        for (Actor* who : being_called_) who->end_of_moment();
        being_called_.clear();
    }

    Picos now_;
    uint64_t happened_ = 0;
    PacketPool packets_;
    Actor* to_be_called_ = nullptr;  // first actor to be called
    std::vector<Actor*> others_to_be_called_;
    std::vector<Actor*> being_called_;
    EventQueue events_;
};

class alignas(64) Port : public Actor {
  public:
    explicit Port(Network& network) : network_(network) {}

    [[nodiscard]] const Cable& cable() const { return cable_; }
    [[nodiscard]] bool is_idle() const { return network_.now() >= free_at_; }

    friend void connect(Port& a, Port& b, const Cable& cable) {
        a.far_ = &b;
        b.far_ = &a;
        a.cable_ = b.cable_ = cable;
        a.octet_time_ = b.octet_time_ = octet_time(cable.speed);
        a.delay_ = b.delay_ = cable.delay();
        a.connected();
        b.connected();
    }

  protected:
    // Returns when the port receives a frame whose first bit arrives at `first` and whose last bit
    // arrives at `last`.
    [[nodiscard]] virtual Picos takes_at(const Packet& /*packet*/, Picos /*first*/,
                                         Picos last) const {
        return last;
    }
    // Returns the time that `octets` take on the wire. The time of an octet and the delay are
    // copies, since a Cable would compute them at every call.
    [[nodiscard]] Picos time_of(Bytes octets) const { return octet_time_ * octets.count(); }
    [[nodiscard]] Picos delay() const { return delay_; }
    // Called when the cable is connected.
    virtual void connected() {}
    // Sends a packet; the wire must be idle. Calls look() of the port when the wire is idle again.
    void begin(Packet& packet) {
        begin_unwatched(packet);
        network_.look_at(free_at_, *this);
    }
    // Sends a packet without scheduling a look. `inside`: the time that the packet takes from here
    // to the wire; the next packet may be sent before this time has passed.
    void begin_unwatched(Packet& packet, Picos inside = {}) {
        assert(far_ != nullptr);
        const Picos now = network_.now();
        begun_ += packet.on_wire();
        const Picos takes = time_of(packet.on_wire());
        free_at_ = now + takes;
        const Picos begins = std::max(now + inside, wire_free_at_);
        wire_free_at_ = begins + takes;
        const Picos last = wire_free_at_ - time_of(gap) + delay_;
        network_.deliver_at(far_->takes_at(packet, begins + delay_, last), *far_, packet);
    }
    [[nodiscard]] Picos free_at() const { return free_at_; }
    // Returns the octets on the wire that were sent, including those of a frame in progress.
    [[nodiscard]] Bytes begun() const { return begun_; }

    Network& network_;

  private:
    // Members that each frame needs are in one cache line with the inherited ones.
    Port* far_ = nullptr;
    Picos octet_time_;    // time of an octet on the cable
    Picos delay_;         // delay of the cable
    Picos free_at_;       // when another frame may begin
    Picos wire_free_at_;  // when all frames that have begun have left the wire
    Bytes begun_;
    Cable cable_;
};

}  // namespace sluice::sim
