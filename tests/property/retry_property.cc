// Two ends of a link that sends again what it lost, over wires that lose, damage, double and
// reorder, both ways, with answers that somebody makes up, and with ends that begin anew:
//   never       a frame is taken twice, or before one that is taken later
//   never       one is missing among those taken, but for what a sender gave up
//   in the end  once the wires are good, all that is sent in a session is taken and acknowledged
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "dataplane/retry/retry_receiver.h"
#include "dataplane/retry/retry_sender.h"
#include "tests/property/draw.h"

namespace sluice::property {
namespace {

constexpr Nanos retry_turn{100};

struct RetryFrame {
    uint32_t session = 0;
    RetrySequence sequence;
    uint32_t order = 0;
    uint64_t number = 0;  // of all that the sender was ever given; 0: it asks to begin
    bool is_damaged = false;
};

class RetryPair {
  public:
    RetryPair()
        : trouble_(wide<int>(0, 30)),
          gives_up_(wide<int>(0, 2) > 0),
          restarts_(one_of<int>({15, 50, 300})),
          sender_({.most_frames = wide<uint32_t>(1, 60),
                   .replay_timer = retry_turn * wide<int64_t>(12, 60),
                   .data_age = retry_turn * (gives_up_ ? one_of<int64_t>({0, 400}) : 0),
                   .replay_count_max = gives_up_ ? wide<uint32_t>(1, 5) : 1'000'000}),
          receiver_({.ack_octets = Bytes(wide<int64_t>(0, 8)),
                     .ack_delay = retry_turn * wide<int64_t>(0, 4),
                     .window = one_of<uint32_t>({0, 1, 16, 64, 256})}) {}

    void step() {
        if (gives_up_ && wide<int>(0, restarts_) == 0) begin();
        if (gives_up_ && wide<int>(0, 400) == 0) {
            receiver_.end();
            kept_.clear();
        }
        if (wide<int>(0, 30) == 0) make_up_an_answer();
        turn(trouble_);
    }
    void come_to_rest() {
        for (int turns = 0; turns < 2000; ++turns) turn(0);
        const uint64_t before = given_;
        for (int turns = 0; turns < 200; ++turns) turn(0);
        RC_ASSERT(given_ > before);
        gives_ = false;
        for (int turns = 0; turns < 400; ++turns) turn(0);
        RC_ASSERT(sender_.state() == RetrySender::State::advance);
        RC_ASSERT(sender_.kept() == 0U);
        RC_ASSERT(last_taken_ == given_);
    }

  private:
    void begin() {
        // Frames that were kept are given up; they may have arrived.
        given_up_ = given_;
        sender_.begin(++sessions_);
    }
    void make_up_an_answer() {
        back_.push_back({.session = sender_.session() - wide<uint32_t>(0, 1),
                         .again = wide<int>(0, 1) == 1,
                         .sequence = RetrySequence(made_up_sequence()),
                         .order = sender_.order(),
                         .runs = {}});
    }
    // Returns a number beyond all that will be sent until the answer arrives: a made-up answer with
    // a known session and a waiting number may acknowledge it.
    uint32_t made_up_sequence() {
        return sender_.oldest().number() + sender_.kept() + wide<uint32_t>(200, 1000);
    }
    void turn(int trouble) {
        now_ = now_ + retry_turn;
        if (sender_.state() == RetrySender::State::off ||
            sender_.state() == RetrySender::State::flush) {
            begin();
        }
        sender_.look(now_);
        send(trouble);
        if (auto frame = pass(forth_, trouble)) receive(*frame, trouble);
        if (const auto answer = receiver_.answer(now_)) put(back_, *answer, trouble);
        if (const auto answer = pass(back_, trouble)) sender_.answered(*answer, now_);
        RC_ASSERT(sender_.kept() <= 60);
    }
    void send(int trouble) {
        if (sender_.ask_to_begin(now_))
            put(forth_, RetryFrame{sender_.session(), {}, 0, 0}, trouble);
        if (const auto again = sender_.to_replay()) {
            const uint64_t number = given_ - sender_.kept() + again->since(sender_.oldest()) + 1;
            put(forth_, RetryFrame{sender_.session(), *again, sender_.order(), number}, trouble);
            sender_.replayed(*again, now_);
        } else if (gives_ && sender_.may_send()) {
            const uint32_t order = sender_.order();
            const RetrySequence sequence = sender_.send(now_);
            put(forth_, RetryFrame{sender_.session(), sequence, order, ++given_}, trouble);
        }
    }
    void receive(RetryFrame& frame, int trouble) {
        if (happens(trouble) && happens(50)) return receiver_.damaged();
        if (frame.number == 0) {
            // A question of a session that is over came late, or its sender is to take another.
            const bool begun = receiver_.begin(frame.session);
            if (receiver_.kept() == 0) kept_.clear();
            if (!begun && frame.session == sender_.session()) begin();
            return;
        }
        const auto verdict = receiver_.arrived(frame.session,
                                               {.number = frame.sequence,
                                                .order = frame.order,
                                                .octets = Bytes(1),
                                                .may_keep = !happens(trouble)},
                                               now_);
        if (verdict == RetryReceiver::Verdict::keep) {
            const bool is_new = kept_.emplace(frame.sequence.number(), frame.number).second;
            RC_ASSERT(is_new);
        }
        if (verdict != RetryReceiver::Verdict::take) return;
        take(frame.number);
        while (receiver_.has_next_kept()) {
            const auto kept = kept_.extract(receiver_.expected().number());
            RC_ASSERT(!kept.empty());
            receiver_.next_kept(Bytes(1), now_);
            take(kept.mapped());
        }
        RC_ASSERT(kept_.size() == receiver_.kept());
    }
    void take(uint64_t number) {
        RC_ASSERT(number > last_taken_);
        RC_ASSERT(number == last_taken_ + 1 || last_taken_ < given_up_);
        last_taken_ = number;
    }
    template <class Item>
    void put(std::deque<Item>& wire, const Item& item, int trouble) {
        if (happens(trouble)) return;
        wire.push_back(item);
        if (happens(trouble / 4)) wire.push_back(item);
        if (wire.size() > 1 && happens(trouble / 4)) std::swap(wire.back(), wire.front());
    }
    template <class Item>
    std::optional<Item> pass(std::deque<Item>& wire, int trouble) {
        if (wire.empty() || (happens(trouble) && wire.size() < 20)) return std::nullopt;
        Item item = wire.front();
        wire.pop_front();
        return item;
    }
    static bool happens(int of_100) { return of_100 > 0 && wide<int>(0, 99) < of_100; }

    int trouble_;
    bool gives_up_;  // the sender, in the end, and ends begin anew; else one session is for ever
    int restarts_;   // one in so many steps
    RetrySender sender_;
    RetryReceiver receiver_;
    std::map<uint32_t, uint64_t> kept_;  // by the receiver, by sequence
    std::deque<RetryFrame> forth_;
    std::deque<RetryAnswer> back_;
    Nanos now_;
    uint32_t sessions_ = 0;
    bool gives_ = true;
    uint64_t given_ = 0;
    uint64_t given_up_ = 0;
    uint64_t last_taken_ = 0;
};

RC_GTEST_PROP(Retry, TakesEachOnceAndInOrder, ()) {
    RetryPair pair;
    const auto steps = wide<int>(0, 600);
    for (int step = 0; step < steps; ++step) pair.step();
    pair.come_to_rest();
}

}  // namespace
}  // namespace sluice::property
