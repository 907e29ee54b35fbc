// CreditLine: credit-based flow control of one direction of a cable, hop by hop, by the dataplane's
// own ends (dataplane/credits). For each priority with credit, the sending end may begin a frame
// only with credit for it, and the receiving end returns the credit once the frame has left its
// buffer, sent or dropped.
//
// A priority starts with credit for its whole buffer at the receiving end. So the frames that were
// sent and have not left that buffer never exceed it: no frame is lost because a buffer is full.
// Credit arrives at the sender one cable delay after the frame left, at each frame or in quanta. It
// takes no time on the wire if it is sent between frames; as a frame of its own it takes 84 octets.
// An update may be lost: the next update replaces it, at the latest the refresh. Updates with
// unchanged counts are not sent.
// A priority is stalled from the time at which its next frame has too little credit until there is
// enough credit.
// Bound: an event for each frame, and one for each refresh. Not done here: frames that a switch
// floods, as each copy would return the credit (a scenario has none, since all its FDB entries are
// static); and sessions, as no end in a scenario restarts.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "dataplane/credits/credit_buffer.h"
#include "dataplane/credits/credit_receiver.h"
#include "dataplane/credits/credit_sender.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/random.h"
#include "dataplane/types/units.h"
#include "tools/sim/network/network.h"

namespace sluice::sim {

// Returns the buffer of a priority that keeps a wire busy with the longest frames. `stages`: the
// time that a frame takes to leave the receiving end.
inline Bytes credit_buffer(const Cable& cable, Bytes longest, Bytes cell, Nanos stages = {}) {
    return credit_buffer_for({.loop_picoseconds = (cable.delay() * 2 + picos(stages)).count(),
                              .speed = cable.speed,
                              .longest = longest,
                              .cell = cell,
                              .quantum = cable.credit_pace.quantum});
}

class CreditLine;

// The lines whose credit an end of a cable spends and returns; null without credit.
struct CreditEnds {
    CreditLine* spends = nullptr;
    CreditLine* gives = nullptr;
};

class CreditLine : public Actor {
  public:
    // `cable`: the cable between the two ends; `sender`: the actor to run when credit returns.
    // `seed`: selects the updates that are lost.
    CreditLine(Network& network, Actor& sender, const Cable& cable, const CreditTerms& terms,
               uint64_t seed = 0)
        : network_(network),
          sending_end_(sender),
          delay_(cable.delay()),
          refresh_(picos(cable.credit_pace.refresh)),
          lost_65536_(cable.credit_lost_65536),
          random_(seed),
          receiver_(terms, cable.credit_pace),
          advertised_at_(network.now()) {
        receiver_.sent(nanos(advertised_at_));
        sender_.receive(terms, receiver_.limits());
    }

    // --- the sending end ------------------------------------------------------------------------
    // Whether a frame of `length` octets without FCS may be sent now.
    bool covers(Priority priority, Bytes length) {
        if (!terms().is_lossless(priority)) return true;
        Line& line = lines_[priority];
        line.wanted = length;
        if (!sender_.covers(priority, length)) {
            if (!line.stalled) line.since = network_.now();
            line.stalled = true;
            return false;
        }
        end_stall(line);
        return true;
    }
    // Uses credit for a frame that is sent now. No frame is lost on the cable, so the receiving end
    // counts it at once.
    void spend(Packet& packet, Priority priority) {
        if (!terms().is_lossless(priority)) return;
        packet.paid_as = priority;
        sender_.consume(priority, Bytes(packet.length));
        receiver_.came(priority, cost(packet));
        [[maybe_unused]] const bool fits = receiver_.take(priority, cost(packet));
        assert(fits);
    }

    // --- the receiving end ----------------------------------------------------------------------
    // Returns the credit of a frame that leaves the buffer at `time`. Has no effect for a frame
    // that was sent without credit.
    void give_back(Packet& packet, Picos time) {
        if (packet.paid_as == no_priority) return;
        const Bytes amount = cost(packet);
        Line& line = lines_[packet.paid_as];
        line.returned += amount;
        if (line.kept) {
            line.kept_back += amount;
        } else {
            return_at(time + delay_, packet.paid_as, amount);
        }
        packet.paid_as = no_priority;
    }
    // While `kept`, withholds the credit of this priority, like a receiver that stalls; afterwards
    // returns all of it.
    void keep(Priority priority, bool kept) {
        Line& line = lines_[priority];
        line.kept = kept;
        if (kept || line.kept_back == Bytes(0)) return;
        return_at(network_.now() + delay_, priority, line.kept_back);
        line.kept_back = Bytes(0);
    }

    // --- state ----------------------------------------------------------------------------------
    [[nodiscard]] const CreditTerms& terms() const { return receiver_.terms(); }
    [[nodiscard]] Bytes credit(Priority priority) const { return sender_.credit(priority); }
    [[nodiscard]] Bytes returned() const {
        Bytes sum;
        for (const Line& line : lines_) sum += line.returned;
        return sum;
    }
    // Returns the time that priorities were stalled, summed over them.
    [[nodiscard]] Picos stalled() const {
        Picos sum;
        for (const Line& line : lines_) {
            sum += line.was_stalled + (line.stalled ? network_.now() - line.since : Picos(0));
        }
        return sum;
    }

    // Called when credit returns, or when an update is due. The sending end sees the receiving
    // end's state with the delay of the cable.
    void look() override {
        for (; !under_way_.empty() && under_way_.top().at <= network_.now(); under_way_.pop()) {
            receiver_.give_back(under_way_.top().priority, under_way_.top().amount);
        }
        if (receiver_.is_due(nanos(network_.now()))) advertise();
        refresh_later();
        sending_end_.look();
    }

  private:
    struct Line {
        Bytes wanted{};  // length that `covers` last checked
        bool stalled = false;
        Picos since{};
        Picos was_stalled{};
        Bytes returned{};
        bool kept = false;
        Bytes kept_back{};
    };
    struct Return {
        Picos at;
        Priority priority;
        Bytes amount;

        friend bool operator>(const Return& a, const Return& b) { return a.at > b.at; }
    };

    [[nodiscard]] Bytes cost(const Packet& packet) const {
        return terms().cost(Bytes(packet.length));
    }
    void return_at(Picos time, Priority priority, Bytes amount) {
        under_way_.push({time, priority, amount});
        network_.look_at(time, *this);
    }
    void advertise() {
        advertised_at_ = network_.now();
        receiver_.sent(nanos(advertised_at_));
        if (lost_65536_ > 0 && random_.next() >> 16 < lost_65536_) return;
        sender_.receive(terms(), receiver_.limits());
        for_each_priority(terms().lossless, [&](Priority priority) {
            Line& line = lines_[priority];
            if (line.stalled && sender_.covers(priority, line.wanted)) end_stall(line);
        });
    }
    // Schedules at most one refresh for each update.
    void refresh_later() {
        if (refresh_ == Picos(0) || sender_.limits() == receiver_.limits()) return;
        if (refresh_at_ == advertised_at_ + refresh_) return;
        refresh_at_ = advertised_at_ + refresh_;
        network_.look_at(refresh_at_, *this);
    }
    void end_stall(Line& line) const {
        if (line.stalled) line.was_stalled += network_.now() - line.since;
        line.stalled = false;
    }

    Network& network_;
    Actor& sending_end_;
    Picos delay_;
    Picos refresh_;
    uint32_t lost_65536_;
    Random random_;
    CreditReceiver receiver_;
    CreditSender sender_;
    Picos advertised_at_;
    Picos refresh_at_;
    std::array<Line, max_priorities> lines_;
    std::priority_queue<Return, std::vector<Return>, std::greater<>> under_way_;
};

}  // namespace sluice::sim
