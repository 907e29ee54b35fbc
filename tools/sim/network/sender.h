// Sender: which frame a host sends next, and how it obeys PFC.
//
// Its flows take turns, each back to back or at a pace of its own, all at a rate of the wire. A
// pause frame takes effect a `response` after its last bit came, never before one that came
// earlier; then the priority is held for the quanta that it asks for, a new one replaces the time,
// and 0 ends it. Between two frames only: one that has begun is finished. So it is the slowest peer
// that obeys 802.1Qbb; or one that does not obey at all.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "dataplane/address.h"
#include "dataplane/draws.h"
#include "dataplane/limits.h"
#include "dataplane/pfc/pause_frame.h"
#include "tools/sim/network/credit_line.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/packet.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

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
    std::optional<PaceSettings> pace{};  // else back to back
    bool ecn = false;                    // IPv4 that can be marked
    uint16_t row = no_row;
};

// One of the stations that a flow's frames go to, each numbered as a flow of its own.
struct Target {
    MacAddress to;
    uint32_t number;
};

class Sender {
  public:
    Sender(MacAddress address, BitsPerSecond speed)
        : address_(address), speed_(speed), rate_(speed) {}

    // --- by whoever sets it up ------------------------------------------------------------------
    void add(const Flow& flow, uint32_t number) { add(flow, {{flow.to, number}}, 1); }
    // In turn, or at random where the pace is. `flow.to` is nobody's.
    void add(const Flow& flow, const std::vector<Target>& targets, uint64_t seed);
    void set_response(Nanos response) { response_ = picos(response); }
    void set_obeys(bool obeys) { obeys_ = obeys; }
    // It may begin a frame only with credit for the longest of its flow.
    void set_credit(CreditLine* line) { credit_ = line; }
    // Of the wire, overhead counted; 0: nothing.
    void set_rate(BitsPerSecond rate) { rate_ = rate; }
    [[nodiscard]] uint64_t sent(Priority priority) const { return sent_[priority]; }
    [[nodiscard]] uint64_t heard() const { return heard_; }  // pause frames

    // --- by the host ----------------------------------------------------------------------------
    // Returns when it takes effect.
    Picos hear(const PauseFrame& pause, Picos now);
    // Lets pauses take effect; returns when one ends by itself, if one began.
    std::optional<Picos> obey(Picos now);
    // Fills the packet with the next frame that may be sent; false: there is none now.
    bool next(Packet& packet, Picos now);
    // Under its rate.
    [[nodiscard]] Picos not_before() const { return not_before_; }
    // When a flow is due that is not yet; Schedule::never: none.
    [[nodiscard]] Picos next_due(Picos now) const;

  private:
    using Header = std::array<uint8_t, 38>;  // Ethernet, a tag, and IPv4 or nothing

    struct Way {
        Header header;
        uint32_t number;
        uint64_t serial = 0;
    };
    struct State : Flow {
        std::vector<Way> ways;
        std::size_t way = 0;
        std::optional<Schedule> schedule;
    };
    struct HeardPause {
        Picos at;
        PauseFrame pause;
    };

    [[nodiscard]] Header header_of(const Flow& flow, MacAddress to) const;
    static Way& next_way(State& flow);
    [[nodiscard]] bool has_credit(const State& flow) const;
    // 0: it has ended.
    int64_t draw_length(State& flow);

    MacAddress address_;
    BitsPerSecond speed_;
    BitsPerSecond rate_;
    bool obeys_ = true;
    Picos response_;
    Picos not_before_;
    std::array<Picos, max_priorities> held_until_;
    std::deque<HeardPause> heard_pauses_;
    std::vector<State> flows_;
    std::size_t turn_ = 0;
    std::array<uint64_t, max_priorities> sent_{};
    CreditLine* credit_ = nullptr;
    uint64_t heard_ = 0;
    Draws draws_{1};
};

}  // namespace sluice::sim
