// Sender: which frame a host sends next, and how it obeys PFC.
//
// Its flows take turns, back to back or at a rate of the wire. A pause frame takes effect a
// `response` after its last bit came, never before one that came earlier; then the priority is held
// for the quanta that it asks for, a new one replaces the time, and 0 ends it. Between two frames
// only: one that has begun is finished. So it is the slowest peer that obeys 802.1Qbb.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "dataplane/address.h"
#include "dataplane/draws.h"
#include "dataplane/limits.h"
#include "dataplane/pfc/pause_frame.h"
#include "tests/lossless/packet.h"
#include "tests/lossless/picos.h"
#include "tests/support/octets.h"

namespace sluice::test {

// Lengths with FCS, as the standards count them; each is as likely as any other.
struct Mix {
    int64_t shortest;
    int64_t longest;
};

struct Flow {
    MacAddress to;
    Priority priority = 0;
    Mix mix{64, 64};
    std::deque<int64_t> script{};  // lengths with FCS that come before all others
    bool stops_after_script = false;
};

class Sender {
  public:
    Sender(MacAddress address, BitsPerSecond speed)
        : address_(address), speed_(speed), rate_(speed) {}

    // --- by the test ----------------------------------------------------------------------------
    void add(const Flow& flow, uint16_t number) {
        flows_.push_back({flow, number, header_of(flow)});
    }
    void set_response(Nanos response) { response_ = picos(response); }
    // Of the wire, overhead counted; 0: nothing.
    void set_rate(BitsPerSecond rate) { rate_ = rate; }
    [[nodiscard]] uint64_t sent(Priority priority) const { return sent_[priority]; }
    [[nodiscard]] uint64_t heard() const { return heard_; }  // pause frames

    // --- by the host ----------------------------------------------------------------------------
    // Returns when it takes effect.
    Picos hear(const PauseFrame& pause, Picos now) {
        ++heard_;
        const Picos at =
            std::max(now + response_, heard_pauses_.empty() ? Picos(0) : heard_pauses_.back().at);
        heard_pauses_.push_back({at, pause});
        return at;
    }
    // Lets pauses take effect; returns when one ends by itself, if one began.
    std::optional<Picos> obey(Picos now) {
        std::optional<Picos> ends;
        for (; !heard_pauses_.empty() && heard_pauses_.front().at <= now;
             heard_pauses_.pop_front()) {
            const auto& [at, pause] = heard_pauses_.front();
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                if ((pause.enabled & only_priority(priority)) == 0) continue;
                const Quanta quanta(pause.time[priority]);
                held_until_[priority] = at + octet_time(speed_) * (quanta.count() * 64);
                ends = std::max(ends.value_or(Picos(0)), held_until_[priority]);
            }
        }
        return ends;
    }
    // Fills the packet with the next frame that may be sent; false: there is none now.
    bool next(Packet& packet, Picos now) {
        if (rate_.count() == 0 || now < not_before_) return false;
        for (std::size_t tried = 0; tried < flows_.size(); ++tried) {
            State& flow = flows_[turn_];
            turn_ = turn_ + 1 == flows_.size() ? 0 : turn_ + 1;
            if (now < held_until_[flow.priority]) continue;
            const int64_t length = draw_length(flow);
            if (length == 0) continue;
            std::ranges::copy(flow.header, packet.octets.begin());
            packet.length = static_cast<uint16_t>(length - fcs.count());
            packet.priority = flow.priority;
            packet.flow = flow.number;
            packet.serial = flow.serial++;
            ++sent_[flow.priority];
            const Picos full = octet_time(speed_) * packet.on_wire().count();
            not_before_ =
                now + Picos(full.count() * (speed_.count() / 1000) / (rate_.count() / 1000));
            return true;
        }
        return false;
    }
    // Under its rate.
    [[nodiscard]] Picos not_before() const { return not_before_; }

  private:
    struct State : Flow {
        State(const Flow& flow, uint16_t of, const Octets& octets)
            : Flow(flow), number(of), header(octets) {}

        uint16_t number;
        Octets header;
        uint64_t serial = 0;
    };
    struct HeardPause {
        Picos at;
        PauseFrame pause;
    };

    [[nodiscard]] Octets header_of(const Flow& flow) const {
        return octets_of(
            FrameSpec{.to = flow.to, .from = address_, .tag = Tag{0, flow.priority}, .length = 18});
    }
    // 0: it has ended.
    int64_t draw_length(State& flow) {
        if (!flow.script.empty()) {
            const int64_t length = flow.script.front();
            flow.script.pop_front();
            return length;
        }
        if (flow.stops_after_script) return 0;
        const int64_t choices = flow.mix.longest - flow.mix.shortest + 1;
        return flow.mix.shortest + (choices == 1 ? 0 : draws_.next() % choices);
    }

    MacAddress address_;
    BitsPerSecond speed_;
    BitsPerSecond rate_;
    Picos response_;
    Picos not_before_;
    std::array<Picos, max_priorities> held_until_;
    std::deque<HeardPause> heard_pauses_;
    std::vector<State> flows_;
    std::size_t turn_ = 0;
    std::array<uint64_t, max_priorities> sent_{};
    uint64_t heard_ = 0;
    Draws draws_{1};
};

}  // namespace sluice::test
