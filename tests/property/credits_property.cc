// Two ends of a link by credit that send to each other over wires of some length, whatever is lost
// on them, whichever end restarts, leaves, or has other terms, whatever third stations send,
// whatever LLDP makes of that, and whenever the link goes:
//   never       a frame that was sent on credit finds no room at the receiver
//   in the end  once nothing is lost any more and all has left, each has all of its credit again;
//               or, where both have turned to PFC, none holds anything for longer than a few
//               refreshes
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "dataplane/credits/credit_end.h"
#include "tests/property/draw.h"

namespace sluice::property {
namespace {

using namespace literals;

// A frame, or an update as octets.
struct Item {
    Priority priority = 0;
    Bytes length{};
    uint32_t session = 0;  // of its sender, that it is on credit in; 0: it is not on credit
    std::vector<uint8_t> update{};
};
// A frame in a buffer.
struct Held {
    Priority priority;
    Bytes cost;
};

struct End {
    End(const CreditTerms& with, const CreditPace& at) : terms(with), pace(at), credit(with, at) {}

    [[nodiscard]] Bytes held_of(Priority priority) const {
        Bytes sum;
        for (const Held& one : held) sum += one.priority == priority ? one.cost : Bytes(0);
        return sum;
    }

    CreditTerms terms;
    CreditPace pace;
    CreditEnd credit;
    bool is_retired = false;
    std::vector<Held> held;
    std::deque<Item> wire;  // to the other end
};

class Link {
  public:
    // `strays`: somebody else speaks as well.
    explicit Link(bool strays = true) : strays_(strays), ends_{draw_end(), draw_end()} {
        for (End& end : ends_) begin(end);
    }

    // Something happens.
    void step(bool trouble) {
        const auto which = between<std::size_t>(0, 1);
        End& end = ends_[which];
        switch (between<int>(0, trouble ? 16 : 7)) {
            case 0:
            case 1:
            case 2:
                return send(end);
            case 3:
            case 4:
                return deliver(which, between<std::size_t>(0, 8));
            case 5:
            case 6:
                return free_some(end);
            case 7:
                now_ = now_ + 1_us * between<int64_t>(0, 15);
                return update(end);
            case 8:
            case 9:
                if (!end.wire.empty()) end.wire.erase(end.wire.begin() + at_random(end.wire));
                return;
            case 10:
                return between<int>(0, 7) == 7 ? restart(end) : update(end);
            case 11:
                return between<int>(0, 7) == 7 ? lose_link() : update(end);
            case 12:
                return strays_ && between<int>(0, 3) == 3 ? stray_update(end) : update(end);
            case 13:
                return between<int>(0, 3) == 3 ? change_terms(end) : update(end);
            case 14:
                return between<int>(0, 3) == 3 ? change_neighbours(end) : update(end);
            case 15:
                if (between<int>(0, 3) < 3 || may_be_counted(end)) return update(end);
                return retire(end, !end.is_retired);
            default:
                return update(end);
        }
    }
    // Delivers all frames in flight and empties the buffers. Then each end is the other's only
    // neighbour, or both have turned to PFC.
    void come_to_rest(bool by_credit) {
        for (End& end : ends_) {
            if (end.is_retired == by_credit) retire(end, !by_credit);
        }
        for (End& end : ends_) {
            if (by_credit) end.credit.set_peer(CreditPeer::able, other(end).terms.lossless, now_);
        }
        for (int round = 0; round < 36; ++round) {
            // An end may have accepted updates of another sender, and left its peer.
            const bool waits = by_credit && round == 12;
            now_ = now_ + (waits ? CreditEnd::longest_hold : 100_us);
            for (const std::size_t which : {0U, 1U}) {
                update(ends_[which]);
                deliver(which, ends_[which].wire.size());
            }
            for (End& end : ends_) {
                while (!end.held.empty()) free_some(end);
            }
        }
    }
    [[nodiscard]] bool holds_nothing() const {
        return std::ranges::none_of(
            ends_, [&](const End& end) { return end.credit.holds(now_) || end.credit.counts(); });
    }
    [[nodiscard]] bool has_all_credit() const {
        bool all = true;
        for (const std::size_t which : {0U, 1U}) {
            const CreditSender& sender = ends_[which].credit.sender();
            const CreditTerms& terms = ends_[1 - which].terms;
            all = all && ends_[which].credit.sends_on_credit() && ends_[which].credit.counts() &&
                  sender.terms() == terms;
            for_each_priority(terms.lossless, [&](Priority priority) {
                all = all && sender.credit(priority) == terms.buffer;
            });
        }
        return all;
    }

  private:
    static CreditTerms draw_terms() {
        const Bytes cell = one_of({1_B, 64_B, 256_B});
        return {.lossless = one_of<PrioritySet>({0b0000'1000, 0b0001'1000, 0xFF}),
                .buffer = cell + Bytes(between<int64_t>(0, 10'000)),
                .cell = cell};
    }
    static End draw_end() {
        return {draw_terms(), {.quantum = Bytes(between<int64_t>(0, 4'000)), .refresh = 20_us}};
    }
    void begin(End& end) {
        end.credit.set_peer(CreditPeer::able, other(end).terms.lossless, now_);
        end.credit.start(new_session(), now_);
    }
    // Far from the other sessions, as random numbers are.
    uint32_t new_session() { return ++sessions_ * 1'000'000; }
    static std::ptrdiff_t at_random(const std::deque<Item>& items) {
        return between<std::ptrdiff_t>(0, static_cast<int64_t>(items.size()) - 1);
    }

    End& other(const End& end) { return &end == &ends_[0] ? ends_[1] : ends_[0]; }

    void send(End& end) const {
        const auto priority = between<Priority>(2, 4);
        const Bytes length = one_of({60_B, 300_B, 1522_B, 9000_B});
        const bool on_credit = end.credit.sends_on_credit();
        if (on_credit && !end.credit.sender().covers(priority, length)) return;
        const bool may_need_it = (end.credit.held_without_credit() & only_priority(priority)) != 0;
        if (!on_credit && may_need_it && end.credit.holds(now_)) return;
        if (on_credit) end.credit.sender().consume(priority, length);
        const uint32_t session = on_credit ? end.credit.update().session : 0;
        end.wire.push_back({.priority = priority, .length = length, .session = session});
    }
    // Updates an end as a shard does, with the frames that are in its buffer.
    void update(End& end) const {
        end.credit.expire(now_);
        if (end.is_retired && end.credit.is_done(now_)) end.credit.stop();
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            end.credit.receiver().set_occupied(priority, end.held_of(priority));
        }
        if (!end.credit.is_due(now_)) return;
        std::array<uint8_t, longest_credit_update> octets;
        const std::size_t length =
            write_credit_update(octets, {0x0200'0000'0001}, end.credit.update());
        end.credit.sent(now_);
        end.wire.push_back(
            {.update = {octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(length)}});
    }
    void deliver(std::size_t from, std::size_t count) {
        End& to = ends_[1 - from];
        std::deque<Item>& wire = ends_[from].wire;
        for (; count > 0 && !wire.empty(); --count) {
            const Item item = std::exchange(wire.front(), {});
            wire.pop_front();
            if (item.update.empty()) {
                arrive(to, item);
            } else {
                const auto update = read_credit_update(item.update);
                RC_ASSERT(update.has_value());
                to.credit.receive(*update, {from + 1}, now_);
            }
        }
    }
    // An end that counts gets no frames without credit, as it would not pause their sender.
    static void arrive(End& to, const Item& item) {
        const Bytes cost = to.terms.cost(item.length);
        const bool counts = to.credit.counts();
        const bool on_credit = counts && item.session == to.credit.update().peer_session;
        if (counts) to.credit.receiver().came(item.priority, cost);
        if (!to.terms.is_lossless(item.priority)) return;
        RC_ASSERT(item.session != 0 || !counts);
        const bool fits = to.held_of(item.priority) + cost <= to.terms.buffer;
        RC_ASSERT(fits || !on_credit);
        if (fits) to.held.push_back({item.priority, cost});
    }
    static void free_some(End& end) {
        if (end.held.empty()) return;
        const auto last = static_cast<int64_t>(end.held.size()) - 1;
        end.held.erase(end.held.begin() + between<std::ptrdiff_t>(0, last));
    }
    // Its buffer is emptied; frames on the wire still arrive.
    void restart(End& end) {
        end.held.clear();
        end.is_retired = false;
        end.credit = CreditEnd(end.terms, end.pace);
        begin(end);
    }
    // Frames on the wire are lost. One end may not notice, if neither has turned to PFC: an end
    // that has turned sends nothing more once its link is lost, so the other would hold for as long
    // as it ever does.
    void lose_link() {
        const bool both_notice = std::ranges::any_of(ends_, &End::is_retired);
        const auto who = both_notice ? 3 : between<int>(1, 3);
        for (const std::size_t which : {0U, 1U}) {
            ends_[which].wire.clear();
            if ((who >> which & 1) == 0) continue;
            ends_[which].credit.stop();
            if (!ends_[which].is_retired) begin(ends_[which]);
        }
    }

    // An update of another sender on the link.
    void stray_update(End& to) {
        std::array<uint8_t, longest_credit_update> octets;
        CreditUpdate update = to.credit.update();
        update.peer_session = one_of<uint32_t>({0, update.session - 1});
        // An end that begins, or leaves this peer, accepts an update that names its session.
        const bool has_peer = to.credit.is_established();
        if (has_peer && between<int>(0, 1) == 1) update.peer_session = update.session;
        update.session = new_session();
        update.on_credit = update.counts = true;
        update.leaves = between<int>(0, 1) == 1;
        update.answers = between<int>(0, 1) == 1;
        update.limits.fill(1'000'000);
        const std::size_t length = write_credit_update(octets, {0x0200'0000'0002}, update);
        const auto read = read_credit_update(std::span(octets).first(length));
        if (read) to.credit.receive(*read, {9}, now_);
    }
    // The end's port turns to PFC, or back.
    void retire(End& end, bool is_retired) {
        end.is_retired = is_retired;
        if (is_retired) return end.credit.retire(now_);
        end.credit.configure(end.terms, end.pace, now_);
        if (!end.credit.has_link()) begin(end);
    }
    void change_terms(End& end) {
        if (end.is_retired) return;
        end.terms = draw_terms();
        end.credit.configure(end.terms, end.pace, now_);
    }
    // An end that began after the other, and has received no update of it, neither turns to PFC nor
    // learns by LLDP that the other is unable: it would hold nothing for an end that may count, or
    // soon will.
    [[nodiscard]] bool may_be_counted(End& end) {
        if (end.credit.is_established()) return false;
        return other(end).credit.counts() || end.credit.holds(now_);
    }
    void change_neighbours(End& end) {
        if (end.is_retired) return;
        auto ability = one_of({CreditPeer::unknown, CreditPeer::able, CreditPeer::unable,
                               CreditPeer::several, CreditPeer::no_lldp});
        if (may_be_counted(end)) ability = CreditPeer::able;
        end.credit.set_peer(ability, other(end).terms.lossless, now_);
    }

    Nanos now_ = 1_us;
    uint32_t sessions_ = 0;
    const bool strays_;
    std::array<End, 2> ends_;
};

RC_GTEST_PROP(Credits, AreNeitherLostNorMade, ()) {
    Link link;
    for (auto steps = between<int>(0, 400); steps > 0; --steps) link.step(true);
    link.come_to_rest(true);
    RC_ASSERT(link.has_all_credit());
}

RC_GTEST_PROP(Credits, AreHeldForByNobodyOnceBothHaveTurnedToPfc, ()) {
    Link link(false);
    for (auto steps = between<int>(0, 400); steps > 0; --steps) link.step(true);
    link.come_to_rest(false);
    RC_ASSERT(link.holds_nothing());
}

RC_GTEST_PROP(Credits, AreBackWhereNothingIsLost, ()) {
    Link link;
    for (auto steps = between<int>(0, 400); steps > 0; --steps) link.step(false);
    link.come_to_rest(true);
    RC_ASSERT(link.has_all_credit());
}

}  // namespace
}  // namespace sluice::property
