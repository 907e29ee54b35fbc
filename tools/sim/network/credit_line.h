// CreditLine: credit-based flow control of one direction of a cable, hop by hop: for each priority
// that it governs the sending end may begin a frame only with credit for it, and the receiving end
// gives the credit back once the frame has left its buffer, sent or dropped.
//
// A priority starts with credit for the whole of its buffer at the receiving end; a frame costs
// what it takes there, its octets without FCS in whole cells, and never more than there is in all.
// So what was sent and has not left again is never more than the buffer: none is lost for want of
// it.
// Credit is back a delay of the cable after the frame left. It takes no time of the wire, as where
// it travels between frames; a frame of 64 octets for each would cost 84 of the wire.
// A priority is stalled from when its frame finds too little credit until there is enough.
// Bound: an event for each frame. Not done here: frames that a switch floods, as each copy would
// give the credit of one back; a scenario has none, its entries are static and of its one VLAN.
// Follows Kung, Blackwell and Chapman, Credit-Based Flow Control for ATM Networks (SIGCOMM 1994),
// hop by hop and per virtual circuit, the circuit being a priority.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "dataplane/buffer/headroom.h"
#include "dataplane/limits.h"
#include "dataplane/units.h"
#include "tools/sim/network/network.h"

namespace sluice::sim {

// The buffer of a priority that keeps a wire busy with the longest frames: one bandwidth-delay
// product of the loop and a longest frame. The loop is the cable there and back, in which an octet
// may cost more than itself where the buffer has cells, and the frame twice: once until it has
// arrived in whole, once until it has left in whole.
inline Bytes credit_buffer(const Cable& cable, Bytes longest, Bytes cell) {
    const Wide there_and_back = 2 * Wide{cable.delay().count()};
    const Wide octet = octet_time(cable.speed).count();
    const Wide overhead = worst_cell_overhead_128(cell);
    const auto under_way =
        static_cast<int64_t>((there_and_back * overhead + octet * 128 - 1) / (octet * 128));
    return whole_cells(Bytes(under_way), cell) + whole_cells(longest, cell) * 3;
}

class CreditLine;

// What an end of a cable spends, and what it gives back; neither, where it has no credit.
struct CreditEnds {
    CreditLine* spends = nullptr;
    CreditLine* gives = nullptr;
};

class CreditLine : public Actor {
  public:
    struct Terms {
        PrioritySet governed = 0;
        Bytes buffer;  // of each priority, at the receiving end
        Bytes cell{1};
    };

    // `cable` is that of the two ends, `sender` the end that is looked at when credit is back.
    CreditLine(Network& network, Actor& sender, const Cable& cable, const Terms& terms)
        : network_(network), sender_(sender), delay_(cable.delay()), terms_(terms) {
        lines_.fill({.credit = terms.buffer});
    }

    // --- the sending end ------------------------------------------------------------------------
    // Whether a frame of `length` without FCS may begin now.
    bool covers(Priority priority, Bytes length) {
        if ((terms_.governed & only_priority(priority)) == 0) return true;
        Line& line = lines_[priority];
        line.wanted = cost(length);
        if (line.credit < line.wanted) {
            if (!line.stalled) line.since = network_.now();
            line.stalled = true;
            return false;
        }
        end_stall(line);
        return true;
    }
    // It begins.
    void spend(Packet& packet, Priority priority) {
        if ((terms_.governed & only_priority(priority)) == 0) return;
        packet.paid_as = priority;
        lines_[priority].credit -= cost(Bytes(packet.length));
    }

    // --- the receiving end ----------------------------------------------------------------------
    // It leaves the buffer at `time`. Nothing, where it came without credit.
    void give_back(Packet& packet, Picos time) {
        if (packet.paid_as == no_priority) return;
        const Bytes amount = cost(Bytes(packet.length));
        Line& line = lines_[packet.paid_as];
        line.returned += amount;
        if (line.kept) {
            line.kept_back += amount;
        } else {
            under_way_.push({time + delay_, packet.paid_as, amount});
            network_.look_at(time + delay_, *this);
        }
        packet.paid_as = no_priority;
    }
    // Of this priority no credit goes back until it is let go: a receiver that stalls.
    void keep(Priority priority, bool kept) {
        Line& line = lines_[priority];
        line.kept = kept;
        if (kept || line.kept_back == Bytes(0)) return;
        under_way_.push({network_.now() + delay_, priority, line.kept_back});
        network_.look_at(network_.now() + delay_, *this);
        line.kept_back = Bytes(0);
    }

    // --- what can be seen -----------------------------------------------------------------------
    [[nodiscard]] const Terms& terms() const { return terms_; }
    [[nodiscard]] Bytes credit(Priority priority) const { return lines_[priority].credit; }
    [[nodiscard]] Bytes returned() const {
        Bytes sum;
        for (const Line& line : lines_) sum += line.returned;
        return sum;
    }
    // Summed over priorities.
    [[nodiscard]] Picos stalled() const {
        Picos sum;
        for (const Line& line : lines_) {
            sum += line.was_stalled + (line.stalled ? network_.now() - line.since : Picos(0));
        }
        return sum;
    }

    // Credit is back.
    void look() override {
        for (; !under_way_.empty() && under_way_.top().at <= network_.now(); under_way_.pop()) {
            Line& line = lines_[under_way_.top().priority];
            line.credit += under_way_.top().amount;
            if (line.stalled && line.credit >= line.wanted) end_stall(line);
        }
        sender_.look();
    }

  private:
    struct Line {
        Bytes credit;
        Bytes wanted{};  // by the frame that was asked about last
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

    [[nodiscard]] Bytes cost(Bytes length) const {
        return std::min(whole_cells(length, terms_.cell), terms_.buffer);
    }
    void end_stall(Line& line) const {
        if (line.stalled) line.was_stalled += network_.now() - line.since;
        line.stalled = false;
    }

    Network& network_;
    Actor& sender_;
    Picos delay_;
    Terms terms_;
    std::array<Line, max_priorities> lines_;
    std::priority_queue<Return, std::vector<Return>, std::greater<>> under_way_;
};

}  // namespace sluice::sim
