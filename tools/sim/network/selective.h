// Selective: delivers all frames of a flow, each once and in any order, over a network that trims
// or loses frames. It has the two ends of selective repeat with a NAK for trimmed frames, as in NDP
// (Handley et al., SIGCOMM 2017) and UEC's transport for unordered delivery.
//
// The receiver accepts each frame once, and acknowledges it by its serial. It requests a trimmed
// frame (dataplane/trim) again at once. The sender resends requested frames, and frames without an
// answer for `timeout`, before new frames.
// Frames are identified by serials, from `first` on; a later flow with the same number has later
// serials, so that frames of the old flow are recognised.
// Bound: at the sender 40 octets for each frame from the first unacknowledged one on, and 16 for
// each time that one of them was sent; at the receiver a bit or two for each frame from the first
// missing one on. run.memory counts neither. Not done here: the answers' octets (host.h); NDP's
// pulls (congestion/pulls.h); giving up after some attempts.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "tools/sim/network/flow_table.h"
#include "tools/sim/network/frame_report.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/packet.h"
#include "tools/sim/network/picos.h"
#include "tools/sim/network/recovery.h"

namespace sluice::sim {

// The sending end.
class Selective final : public Recovery {
  public:
    Selective(Picos timeout, uint64_t first) : timeout_(timeout), begin_(first), first_(first) {}

    [[nodiscard]] uint64_t first() const override { return begin_; }
    [[nodiscard]] bool repeats() const override { return !again_.empty(); }
    [[nodiscard]] const Sent& repeated() const override { return frame(again_.front()).sent; }
    [[nodiscard]] uint64_t repeated_serial() const override { return again_.front(); }

    void send(const Sent& sent, Picos now) override {
        left_.push_back({first_ + frames_.size(), now});
        frames_.push_back({.sent = sent, .left = now});
    }
    void repeat(Picos now) override {
        assert(repeats());
        Frame& leaving = frame(again_.front());
        leaving.left = now;
        leaving.waits = false;
        left_.push_back({again_.front(), now});
        again_.pop_front();
        settle();
    }
    void on_answer(const FrameReport& report, Picos /*now*/) override {
        if (report.serial < first_ || report.serial >= first_ + frames_.size()) return;
        Frame& answered = frame(report.serial);
        if (!report.refused) {
            answered.arrived = true;
        } else if (!answered.arrived && report.left >= answered.left) {
            ask_again(report.serial);  // no later copy of the frame was sent
        }
        settle();
    }
    [[nodiscard]] Picos timer() const override {
        return repeats() || left_.empty() ? Schedule::never : left_.front().at + timeout_;
    }
    bool expire(Picos now) override {
        bool any = false;
        while (timer() <= now || (any && !left_.empty() && left_.front().at + timeout_ <= now)) {
            ask_again(left_.front().serial);
            any = true;
            settle();
        }
        return any;
    }

  private:
    struct Frame {
        Sent sent;
        Picos left;
        bool waits = false;  // whether the frame waits to be resent
        bool arrived = false;
    };
    struct Leaving {
        uint64_t serial;
        Picos at;
    };

    [[nodiscard]] Frame& frame(uint64_t serial) {
        assert(first_ <= serial && serial - first_ < frames_.size());
        return frames_[serial - first_];
    }
    [[nodiscard]] const Frame& frame(uint64_t serial) const {
        assert(first_ <= serial && serial - first_ < frames_.size());
        return frames_[serial - first_];
    }
    void ask_again(uint64_t serial) {
        Frame& lost = frame(serial);
        if (lost.waits) return;
        lost.waits = true;
        again_.push_back(serial);
    }
    // Drops frames that have arrived, and departures that were repeated or answered.
    void settle() {
        const auto gone = [this](uint64_t serial) {
            return serial < first_ || frame(serial).arrived;
        };
        while (!again_.empty() && gone(again_.front())) again_.pop_front();
        while (!left_.empty()) {
            const Leaving& oldest = left_.front();
            if (!gone(oldest.serial) && !frame(oldest.serial).waits &&
                frame(oldest.serial).left == oldest.at) {
                break;
            }
            left_.pop_front();
        }
        while (!frames_.empty() && frames_.front().arrived) {
            frames_.pop_front();
            ++first_;
        }
    }

    Picos timeout_;
    uint64_t begin_;
    uint64_t first_;              // serial of the first unacknowledged frame
    std::deque<Frame> frames_;    // from `first_` on
    std::deque<uint64_t> again_;  // serials of frames to resend, in the order of requests
    std::deque<Leaving> left_;    // departures in order; the first frame still waits for its answer
};

// The receiving end of all flows to a host.
class AnyOrder {
  public:
    // Returns whether the packet has not been received yet.
    [[nodiscard]] bool expects(const Packet& packet) {
        Taken& taken = flows_[packet.flow];
        if (!taken.begun || packet.first > taken.first) {
            taken = {.first = packet.first, .next = packet.first, .begun = true};
        }
        if (packet.first != taken.first || packet.serial < taken.next) return false;
        const std::size_t at = taken.place_of(packet.serial);
        return at >= taken.beyond.size() || !taken.beyond[at];
    }
    // Accepts a packet that has not been received yet.
    void take(const Packet& packet) {
        Taken& taken = flows_[packet.flow];
        assert(packet.serial >= taken.next);
        const std::size_t at = taken.place_of(packet.serial);
        if (at >= taken.beyond.size()) taken.beyond.resize(at + 1);
        taken.beyond[at] = true;
        while (taken.passed < taken.beyond.size() && taken.beyond[taken.passed]) {
            ++taken.passed;
            ++taken.next;
        }
        if (taken.passed * 2 < taken.beyond.size()) return;
        taken.beyond.erase(taken.beyond.begin(),
                           taken.beyond.begin() + static_cast<std::ptrdiff_t>(taken.passed));
        taken.passed = 0;
    }

  private:
    struct Taken {
        uint64_t first = 0;  // first serial of the flow that has this number now
        uint64_t next = 0;   // first missing serial
        // `beyond[passed + n]`: whether serial `next + n` has arrived.
        std::vector<bool> beyond{};
        // Number of entries for serials before `next`; they are erased seldom, so that few entries
        // are moved.
        std::size_t passed = 0;
        bool begun = false;

        [[nodiscard]] std::size_t place_of(uint64_t serial) const {
            return passed + static_cast<std::size_t>(serial - next);
        }
    };

    FlowTable<Taken> flows_;
};

}  // namespace sluice::sim
