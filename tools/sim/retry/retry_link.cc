#include "tools/sim/retry/retry_link.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <set>

#include "dataplane/retry/retry_receiver.h"
#include "dataplane/retry/retry_sender.h"
#include "dataplane/types/random.h"

namespace sluice::sim {

namespace {

constexpr Bytes cell_octets{256};
constexpr unsigned ack_slots = 8;  // an ACK covers 8 cells, or is sent after 8 slots

struct Cell {
    uint64_t number = 0;  // from 1; 0 requests a session
    uint64_t born = 0;
    std::optional<CbfcUpdate> consumed;  // content of a CC_Update, which is not a cell
};
constexpr uint64_t no_cell = UINT64_MAX;  // number of a CC_Update
using Cells = std::deque<Cell>;

// A slot counts as a nanosecond in dataplane/retry.
Nanos at(uint64_t slot) { return Nanos(static_cast<int64_t>(slot)); }

RetrySenderSettings sender_settings(const RetryLinkSettings& settings) {
    // With `selective`, cells after a lost one are kept for two more loops, as the lost cell may be
    // lost again.
    const unsigned loops = settings.recovery == LinkRecovery::selective ? 4 : 2;
    return {.most_frames = loops * slots_of_a_loop(settings) + 4 * ack_slots,
            .replay_timer = at(2 * slots_of_a_loop(settings) + 4 * ack_slots),
            .replay_count_max = settings.replays == 0 ? UINT32_MAX : settings.replays};
}

// Returns how many cells after a gap a receiver keeps.
uint32_t window_of(const RetryLinkSettings& settings) {
    const bool keeps = settings.recovery == LinkRecovery::selective;
    return keeps ? std::bit_ceil(sender_settings(settings).most_frames) : 0;
}

unsigned headroom_of(const RetryLinkSettings& settings) {
    return slots_of_a_loop(settings) + settings.refresh;
}
unsigned xoff_of(const RetryLinkSettings& settings) {
    return room_of(settings) - headroom_of(settings);
}

bool is_by_cbfc(LinkRecovery recovery) {
    return recovery == LinkRecovery::cbfc || recovery == LinkRecovery::cbfc_alone;
}
// Returns the cells of a VC's share.
unsigned share_of(const RetryLinkSettings& settings) {
    return room_of(settings) / settings.cbfc.vcs;
}

// A link from one buffer to the next or, with end-to-end retry, the whole path.
class Hop {
  public:
    Hop(const RetryLinkSettings& settings, uint64_t seed)
        : settings_(settings),
          has_retry_(settings.recovery != LinkRecovery::pfc &&
                     settings.recovery != LinkRecovery::cbfc_alone),
          by_credit_(settings.recovery == LinkRecovery::credit),
          by_cbfc_(is_by_cbfc(settings.recovery)),
          cbfc_sender_(settings.cbfc, share_of(settings)),
          cbfc_receiver_(settings.cbfc, share_of(settings)),
          sender_(sender_settings(settings)),
          receiver_({.ack_octets = cell_octets * ack_slots,
                     .ack_delay = at(ack_slots),
                     .window = window_of(settings)}),
          sessions_(seed),
          forth_(settings.delay, settings.faults, seed + 1),
          back_(settings.delay, settings.one_way ? WireFaults{} : settings.faults, seed + 2) {
        if (has_retry_) begin();
    }

    void hear(uint64_t slot) {
        for (const auto& [signal, is_damaged] : back_.take(slot)) {
            if (is_damaged) continue;
            if (signal.answer) {
                const uint32_t released = sender_.answered(*signal.answer, at(slot));
                assert(released <= kept_.size());
                kept_.erase(kept_.begin(), kept_.begin() + released);
            }
            if (signal.freed) cbfc_sender_.hear_cf_update(*signal.freed);
            if (!signal.has_level) continue;
            is_stopped_ = signal.is_xoff;
            if (signal.session == sender_.session()) limit_ = std::max(limit_, signal.limit);
        }
        sender_.look(at(slot));
        if (sender_.state() != RetrySender::State::flush) return;
        flushes_ += 1;
        begin();
    }
    void arrive(uint64_t slot, Cells& into) {
        for (const auto& [carried, is_damaged] : forth_.take(slot)) {
            if (is_damaged) {
                receiver_.damaged();
            } else if (carried.cell.number == 0) {
                begin_receiving(carried.session);
            } else if (has_retry_) {
                receive(carried, into, slot);
            } else {
                take(carried.cell, into);
            }
        }
        enter(into);
    }
    void send(uint64_t slot, Cells& from) {
        if (sender_.ask_to_begin(at(slot))) {
            forth_.put(slot, {sender_.session(), {}, 0, {}});
            return;
        }
        if (!by_credit_ && is_stopped_) return;
        if (const auto again = sender_.to_replay()) {
            forth_.put(slot, {sender_.session(), *again, sender_.order(),
                              kept_[again->since(sender_.oldest())]});
            sender_.replayed(*again, at(slot));
            return;
        }
        if (has_retry_ && !sender_.may_send()) return;
        const std::optional<Cell> next = take_next(slot, from);
        if (!next) return;
        const Cell cell = *next;
        if (!has_retry_) {
            forth_.put(slot, {0, {}, 0, cell});
            return;
        }
        const uint32_t order = sender_.order();
        forth_.put(slot, {sender_.session(), sender_.send(at(slot)), order, cell});
        kept_.push_back(cell);
        assert(kept_.size() == sender_.kept());
        most_kept_ = std::max<uint64_t>(most_kept_, kept_.size());
    }
    // Sends the receiver's signal. `behind`: the buffer after this link; `left`: the number of
    // cells that have left that buffer.
    void say(uint64_t slot, const Cells& behind, uint64_t left) {
        Signal signal;
        signal.answer = receiver_.answer(at(slot));
        const std::size_t xoff = xoff_of(settings_);
        const bool is_xoff = behind.size() >= (said_xoff_ ? xoff / 2 + 1 : xoff);
        if (by_cbfc_) {
            cbfc_receiver_.left(left);
            signal.freed = cbfc_receiver_.cf_update(slot);
        } else if (is_xoff != said_xoff_ || slot % settings_.refresh == 0) {
            said_xoff_ = is_xoff;
            signal.has_level = true;
            signal.is_xoff = is_xoff;
            signal.session = session_;
            signal.limit = left + room_of(settings_) - taken_before_;
        }
        if (signal.answer || signal.has_level || signal.freed) back_.put(slot, signal);
    }

    // Returns how many cells have left the buffer before this link.
    [[nodiscard]] uint64_t left_behind() const { return left_behind_; }
    void add_to(RetryLinkOutcome& outcome) const {
        outcome.overflowed += overflowed_;
        outcome.most_kept = std::max(outcome.most_kept, most_kept_);
        outcome.most_buffered = std::max(outcome.most_buffered, most_buffered_);
        outcome.most_behind_a_gap = std::max(outcome.most_behind_a_gap, most_behind_);
        outcome.cells_again += sender_.counts().replayed;
        outcome.replays += sender_.counts().replays;
        outcome.timeouts += sender_.counts().timeouts;
        outcome.flushes += flushes_;
        outcome.cc_updates += cbfc_sender_.updates();
        outcome.cf_updates += cbfc_receiver_.updates();
        outcome.credits_recovered += cbfc_receiver_.recovered();
    }

  private:
    struct Carried {
        uint32_t session = 0;
        RetrySequence sequence;
        uint32_t order = 0;
        Cell cell;
    };
    struct Signal {
        std::optional<RetryAnswer> answer;
        std::optional<CbfcUpdate> freed;  // content of a CF_Update
        bool has_level = false;
        bool is_xoff = false;
        uint32_t session = 0;  // session of the limit
        uint64_t limit = 0;    // limit for the cells sent in that session
    };

    void begin() {
        kept_.clear();
        consumed_ = 0;
        limit_ = 0;
        sender_.begin(sessions_.next());
    }
    void begin_receiving(uint32_t session) {
        if (session != session_) {
            taken_before_ = taken_;
            behind_.clear();
        }
        session_ = session;
        receiver_.begin(session);
    }
    void receive(const Carried& carried, Cells& into, uint64_t slot) {
        // Waiting cells are in order, and no other cell may overtake them.
        const bool waits = !waiting_.empty();
        switch (receiver_.arrived(carried.session,
                                  {.number = carried.sequence,
                                   .order = carried.order,
                                   .octets = cell_octets,
                                   .may_keep = true},
                                  at(slot))) {
            case RetryReceiver::Verdict::take:
                if (!waits) {
                    take(carried.cell, into);
                } else {
                    waiting_.push_back(carried.cell);
                }
                while (receiver_.next_kept(cell_octets, at(slot))) {
                    assert(!behind_.empty());
                    waiting_.push_back(behind_.extract(behind_.begin()).mapped());
                }
                break;
            case RetryReceiver::Verdict::keep:
                behind_.emplace(carried.cell.number, carried.cell);
                break;
            default:
                break;
        }
        most_behind_ = std::max<uint64_t>(most_behind_, behind_.size() + waiting_.size());
    }
    // Moves cells that waited for a gap to be filled into the buffer; without credit, only up to
    // XOFF.
    void enter(Cells& into) {
        for (; !waiting_.empty() && (by_credit_ || into.size() < xoff_of(settings_));
             waiting_.pop_front()) {
            if (said_xoff_ && !by_credit_) return;
            take(waiting_.front(), into);
        }
    }
    // Returns the next new cell, if flow control permits it.
    std::optional<Cell> take_next(uint64_t slot, Cells& from) {
        if (by_cbfc_) {
            const auto consumed = cbfc_sender_.cc_update(slot);
            if (consumed) return Cell{.number = no_cell, .consumed = consumed};
        }
        if (from.empty() || !has_credit(from.front())) return std::nullopt;
        const Cell cell = from.front();
        from.pop_front();
        ++left_behind_;
        ++consumed_;
        if (by_cbfc_) cbfc_sender_.send(vc_of(cell));
        return cell;
    }
    [[nodiscard]] bool has_credit(const Cell& cell) const {
        if (by_cbfc_) return cbfc_sender_.may_send(vc_of(cell));
        return !by_credit_ || consumed_ < limit_;
    }
    [[nodiscard]] unsigned vc_of(const Cell& cell) const {
        return static_cast<unsigned>(cell.number % settings_.cbfc.vcs);
    }
    void take(const Cell& cell, Cells& into) {
        if (cell.consumed) {
            cbfc_receiver_.hear_cc_update(*cell.consumed);
            return;
        }
        ++taken_;
        const bool has_room =
            by_cbfc_ ? cbfc_receiver_.arrived(vc_of(cell)) : into.size() < room_of(settings_);
        if (!has_room) {
            ++overflowed_;
            return;
        }
        into.push_back(cell);
        most_buffered_ = std::max<uint64_t>(most_buffered_, into.size());
    }

    RetryLinkSettings settings_;
    bool has_retry_;
    bool by_credit_;
    bool by_cbfc_;
    CbfcSender cbfc_sender_;
    CbfcReceiver cbfc_receiver_;
    RetrySender sender_;
    RetryReceiver receiver_;
    Random sessions_;
    LossyWire<Carried> forth_;
    LossyWire<Signal> back_;
    Cells kept_;
    std::map<uint64_t, Cell> behind_;  // cells after a gap, by number
    Cells waiting_;                    // cells that wait to enter the buffer
    bool is_stopped_ = false;
    bool said_xoff_ = false;
    uint32_t session_ = 0;       // session of the receiver
    uint64_t consumed_ = 0;      // cells sent in the sender's session
    uint64_t limit_ = 0;         // limit of `consumed_`
    uint64_t taken_ = 0;         // cells that the receiver has accepted
    uint64_t taken_before_ = 0;  // `taken_` at the start of the receiver's session
    uint64_t left_behind_ = 0;
    uint64_t overflowed_ = 0;
    uint64_t most_kept_ = 0;
    uint64_t most_buffered_ = 0;
    uint64_t most_behind_ = 0;
    uint64_t flushes_ = 0;
};

// Records the cells that the sink took, their delays and their order.
class Sink {
  public:
    explicit Sink(const RetryLinkSettings& settings) : settings_(settings) {}

    void take(uint64_t slot, Cells& from) {
        const bool stalls =
            settings_.stall_every > 0 && slot % settings_.stall_every < settings_.stall_for;
        if (stalls || from.empty()) return;
        const Cell cell = from.front();
        from.pop_front();
        ++taken_;
        if (cell.number > last_) {
            while (++last_ < cell.number) missing_.insert(last_);
            count(slot - cell.born);
        } else if (missing_.erase(cell.number) == 1) {
            ++out_of_order_;
        } else {
            ++doubled_;
        }
    }
    [[nodiscard]] uint64_t taken() const { return taken_; }
    void add_to(RetryLinkOutcome& outcome) const {
        outcome.delivered = delivered_;
        outcome.lost = missing_.size();
        outcome.doubled = doubled_;
        outcome.out_of_order = out_of_order_;
        outcome.goodput = static_cast<double>(delivered_) / static_cast<double>(settings_.slots);
        if (delivered_ == 0) return;
        outcome.mean_delay = static_cast<double>(slots_waited_) / static_cast<double>(delivered_);
        outcome.delay_p50 = percentile(0.5);
        outcome.delay_p99 = percentile(0.99);
    }

  private:
    void count(uint64_t delay) {
        ++delivered_;
        slots_waited_ += delay;
        if (delays_.size() <= delay) delays_.resize(delay + 1);
        ++delays_[delay];
    }
    // Returns the least delay that at least this share of the cells does not exceed.
    [[nodiscard]] uint64_t percentile(double share) const {
        const auto wanted =
            static_cast<uint64_t>(std::ceil(share * static_cast<double>(delivered_)));
        uint64_t seen = 0;
        for (uint64_t delay = 0; delay < delays_.size(); ++delay) {
            seen += delays_[delay];
            if (seen >= wanted) return delay;
        }
        return delays_.size();
    }

    RetryLinkSettings settings_;
    uint64_t taken_ = 0;
    uint64_t last_ = 0;
    std::set<uint64_t> missing_;
    uint64_t delivered_ = 0;
    uint64_t doubled_ = 0;
    uint64_t out_of_order_ = 0;
    uint64_t slots_waited_ = 0;
    std::vector<uint64_t> delays_;
};

// Returns the settings of the simulated links. End-to-end retry is one link with the delay and the
// loss of all links together.
RetryLinkSettings with_ways(RetryLinkSettings settings) {
    if (settings.recovery != LinkRecovery::end_to_end) return settings;
    settings.delay *= settings.links;
    settings.faults.loss = 1 - std::pow(1 - settings.faults.loss, settings.links);
    settings.links = 1;
    return settings;
}

}  // namespace

unsigned slots_of_a_loop(const RetryLinkSettings& settings) { return 2 * settings.delay; }

// Returns the sum of the headroom and of the cells that keep the link busy until an XON arrives.
// With `selective`, cells that waited for a gap enter at once, so there is room for another loop.
// CBFC has the same room, or more if VCs need it to stay busy when a CF_Update is lost.
unsigned room_of(const RetryLinkSettings& settings) {
    const unsigned loop = slots_of_a_loop(settings);
    const unsigned loops = settings.recovery == LinkRecovery::selective ? 2 : 1;
    const unsigned room = headroom_of(settings) + loops * loop + 2 * settings.refresh;
    if (!is_by_cbfc(settings.recovery)) return room;
    const unsigned vcs = settings.cbfc.vcs;
    const auto of_each = [vcs](unsigned cells) { return (cells + vcs - 1) / vcs; };
    return vcs * std::max(of_each(room), of_each(loop) + 2 * settings.cbfc.cf_min_spacing);
}

RetryLinkOutcome simulate(const RetryLinkSettings& asked) {
    const RetryLinkSettings settings = with_ways(asked);
    std::vector<std::unique_ptr<Hop>> hops;
    for (unsigned n = 0; n < settings.links; ++n) {
        hops.push_back(std::make_unique<Hop>(settings, settings.seed + uint64_t{n} * 1000));
    }
    std::vector<Cells> buffers(settings.links + 1);  // the last one is the sink's
    Sink sink(settings);
    Random random(settings.seed + 999);
    const auto offered = static_cast<uint64_t>(std::ldexp(settings.offered, 32));
    RetryLinkOutcome outcome;
    for (uint64_t slot = 0; slot < settings.slots; ++slot) {
        if (random.next() < offered) buffers.front().push_back({++outcome.given, slot});
        sink.take(slot, buffers.back());
        for (std::size_t n = hops.size(); n-- > 0;) {
            const uint64_t left = n + 1 < hops.size() ? hops[n + 1]->left_behind() : sink.taken();
            hops[n]->hear(slot);
            hops[n]->arrive(slot, buffers[n + 1]);
            hops[n]->send(slot, buffers[n]);
            hops[n]->say(slot, buffers[n + 1], left);
        }
    }
    for (const auto& hop : hops) hop->add_to(outcome);
    sink.add_to(outcome);
    return outcome;
}

// Takagi, Queueing Analysis, volume 3 (1993): Geo/G/1 with late arrivals. A cell waits for earlier
// cells, is served, crosses the link and is taken one slot later.
std::optional<double> mean_delay_by_formula(const RetryLinkSettings& settings) {
    const double lost = settings.faults.loss;
    const double loop = slots_of_a_loop(settings);
    const double times = lost / (1 - lost);  // mean losses of a cell
    const double variance = times / (1 - lost);
    const double served = 1 + loop * times;
    const double second = served * served + loop * loop * variance;
    const double load = settings.offered * served;
    if (load >= 1) return std::nullopt;
    const double waits = settings.offered * (second - served) / (2 * (1 - load));
    return waits + served + settings.delay;
}

}  // namespace sluice::sim
