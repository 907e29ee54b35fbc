// Two ends of a link by credit that send to each other over wires of some length, whatever is lost
// on them, whoever restarts, and whenever the link goes:
//   never       a frame that was sent on credit finds no room at the receiver
//   in the end  once nothing is lost any more and all has left, each has all of its credit again
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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
    uint32_t spent_in = 0;  // a session of its sender; 0: not spent for
    std::vector<uint8_t> update{};
};
// What stands in a buffer.
struct Held {
    Priority priority;
    Bytes cost;
};

struct End {
    End(const CreditTerms& with, const CreditPace& at) : terms(with), pace(at), credit(with, at) {}

    CreditTerms terms;
    CreditPace pace;
    CreditEnd credit;
    std::vector<Held> held;
    std::deque<Item> wire;  // to the other end
};

class Link {
  public:
    Link() : ends_{draw_end(), draw_end()} {
        for (End& end : ends_) end.credit.start(new_session());
    }

    // Something happens.
    void step(bool trouble) {
        const auto which = between<std::size_t>(0, 1);
        End& end = ends_[which];
        switch (between<int>(0, trouble ? 11 : 7)) {
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
                return tell(end);
            case 8:
            case 9:
                if (!end.wire.empty()) end.wire.erase(end.wire.begin() + at_random(end.wire));
                return;
            case 10:
                return between<int>(0, 7) == 7 ? restart(end) : tell(end);
            default:
                return between<int>(0, 7) == 7 ? lose_link() : tell(end);
        }
    }
    // All that is under way arrives, and what arrived leaves.
    void come_to_rest() {
        for (int round = 0; round < 12; ++round) {
            now_ = now_ + 100_us;
            for (const std::size_t which : {0U, 1U}) {
                tell(ends_[which]);
                deliver(which, ends_[which].wire.size());
            }
            for (End& end : ends_) {
                while (!end.held.empty()) free_some(end);
            }
        }
    }
    [[nodiscard]] bool has_all_credit() const {
        bool all = true;
        for (const std::size_t which : {0U, 1U}) {
            const CreditSender& sender = ends_[which].credit.sender();
            const CreditTerms& terms = ends_[1 - which].terms;
            all = all && ends_[which].credit.spends() && ends_[which].credit.counts() &&
                  sender.terms() == terms;
            for_each_priority(terms.governed, [&](Priority priority) {
                all = all && sender.credit(priority) == terms.buffer;
            });
        }
        return all;
    }

  private:
    static End draw_end() {
        const Bytes cell = one_of({1_B, 64_B, 256_B});
        const CreditTerms terms{.governed = one_of<PrioritySet>({0b0000'1000, 0b0001'1000, 0xFF}),
                                .buffer = cell + Bytes(between<int64_t>(0, 10'000)),
                                .cell = cell};
        return {terms, {.quantum = Bytes(between<int64_t>(0, 4'000)), .refresh = 20_us}};
    }
    // Far from the others, as if by chance.
    uint32_t new_session() { return ++sessions_ * 1'000'000; }
    static std::ptrdiff_t at_random(const std::deque<Item>& items) {
        return between<std::ptrdiff_t>(0, static_cast<int64_t>(items.size()) - 1);
    }

    static void send(End& end) {
        const auto priority = between<Priority>(2, 4);
        const Bytes length = one_of({60_B, 300_B, 1522_B, 9000_B});
        const bool spends = end.credit.spends();
        if (spends && !end.credit.sender().covers(priority, length)) return;
        if (spends) end.credit.sender().spend(priority, length);
        const uint32_t session = spends ? end.credit.update().session : 0;
        end.wire.push_back({.priority = priority, .length = length, .spent_in = session});
    }
    void tell(End& end) const {
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
                to.credit.hear(*update, now_);
            }
        }
    }
    // By the other flow control a frame may find no room here; that is not looked at.
    static void arrive(End& to, const Item& item) {
        const Bytes cost = to.terms.cost(item.length);
        CreditReceiver& receiver = to.credit.receiver();
        const bool was_spent_for = item.spent_in != 0 && item.spent_in == to.credit.update().heard;
        if (to.credit.counts()) receiver.came(item.priority, cost);
        const bool is_here = receiver.take(item.priority, cost);
        RC_ASSERT(is_here || !was_spent_for);
        if (is_here && to.terms.govern(item.priority)) to.held.push_back({item.priority, cost});
    }
    static void free_some(End& end) {
        if (end.held.empty()) return;
        const auto last = static_cast<int64_t>(end.held.size()) - 1;
        const auto one = end.held.begin() + between<std::ptrdiff_t>(0, last);
        end.credit.receiver().give_back(one->priority, one->cost);
        end.held.erase(one);
    }
    // What it had goes; what is on the wire arrives.
    void restart(End& end) {
        end.held.clear();
        end.credit = CreditEnd(end.terms, end.pace);
        end.credit.start(new_session());
    }
    // What is on the wire goes. One end may not notice.
    void lose_link() {
        const auto who = between<int>(1, 3);
        for (const std::size_t which : {0U, 1U}) {
            ends_[which].wire.clear();
            if ((who >> which & 1) == 0) continue;
            ends_[which].credit.stop();
            ends_[which].credit.start(new_session());
        }
    }

    Nanos now_ = 1_us;
    uint32_t sessions_ = 0;
    std::array<End, 2> ends_;
};

RC_GTEST_PROP(Credits, AreNeitherLostNorMade, ()) {
    Link link;
    for (auto steps = between<int>(0, 400); steps > 0; --steps) link.step(true);
    link.come_to_rest();
    RC_ASSERT(link.has_all_credit());
}

RC_GTEST_PROP(Credits, AreBackWhereNothingIsLost, ()) {
    Link link;
    for (auto steps = between<int>(0, 400); steps > 0; --steps) link.step(false);
    link.come_to_rest();
    RC_ASSERT(link.has_all_credit());
}

}  // namespace
}  // namespace sluice::property
