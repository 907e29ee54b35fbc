// CreditEnd: credit-based flow control at one end of a link, in both directions. It sends frames on
// the credit that the peer advertises, advertises credit for the frames that it receives, and
// agrees with the peer on the session in which both ends count.
//
// Sessions. All counts begin at 0 with a session. An end begins one when it starts and when its
// link comes up, under a number that was not used before; the peer begins to count from 0 when it
// receives that number. An end accepts an update only if it carries the number of the end's own
// current session. It then confirms the update, and from then on sends frames only on credit. The
// peer counts from that confirmation on: updates and frames stay in order, so every frame sent
// before the confirmation is stored, has left or is lost. Stored frames are not advertised as free.
// So a restart of either side or of the link neither loses nor creates credit. Before a session is
// agreed on, and again after the peer was silent for `longest_silence`, the link uses its other
// flow control. If both ends start at once they agree with the third update of each.
//
// Peers. An end begins a session only if LLDP reports that the peer supports credit, and accepts no
// update before that. An agreed session continues if LLDP frames cease or report a second
// neighbour; updates of other senders are ignored. If the peer begins a new session, so does this
// end.
//
// Holding. In three cases an end does not know whether the peer still counts an earlier session of
// this end: after the link came up, after the end began a new session by itself, and while it
// leaves credit. Then it holds back all frames that would need credit, for at most `longest_hold`.
// An update with the number of the current session ends the hold early: the peer that sent it has
// no other session, and has already paused this end if necessary. So an end that leaves announces
// it at each refresh until the peer answers. An end that receives updates but does not use credit
// answers in the same way. An end that receives such an answer, from a peer that is not leaving,
// sends no updates for `pause_of_offers`. If both ends leave, one may receive its answer first: it
// continues to answer for `longest_hold`, after which the other end's hold is over in any case.
//
// A session in which frames waited for credit for `longest_wait` ends, and none begins until the
// link comes up again or the terms change.
// Bound: O(1) a frame; eight priorities an update. Not here: link state, identifying the peer by
// LLDP (control/offers), choice of session numbers, frame format (credit_update.h).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <utility>

#include "dataplane/credits/credit_receiver.h"
#include "dataplane/credits/credit_sender.h"
#include "dataplane/credits/credit_update.h"
#include "dataplane/types/link_peer.h"

namespace sluice {

// Whether the other end uses credit.
using CreditPeer = LinkPeer;

// The flow control in use. `waits`: frames that may need credit are held, or a session is being
// agreed on. `without`: PFC or another kind, or none. `credit`: credit, in both directions.
enum class CreditState : uint8_t { no_link, waits, without, credit };

class CreditEnd {
  public:
    // Time without an update after which the session ends. It is longer than a restart of the peer
    // takes, so that no frame is sent without credit during one, and longer than any refresh.
    static constexpr Nanos longest_silence{10'000'000'000};
    // The session ends when frames have waited for credit for this time.
    static constexpr Nanos longest_wait{10'000'000'000};
    // The longest time for which frames that may need credit are held back without a session.
    static constexpr Nanos longest_hold{3'000'000'000};
    // Time for which this end only answers, after an answer that the peer does not use credit.
    static constexpr Nanos pause_of_offers{1'000'000'000};
    // The most answers and confirmations sent in a millisecond.
    static constexpr unsigned most_answers = 16;

    // `terms`: the terms of the direction in which this end receives.
    CreditEnd(const CreditTerms& terms, const CreditPace& pace) : receiver_(terms, pace) {}

    CreditEnd() : CreditEnd({}, {}) {}
    // Sets the terms. Changed terms end the session, which was agreed on with the old terms.
    void configure(const CreditTerms& terms, const CreditPace& pace, Nanos now) {
        const bool changed = terms != receiver_.terms();
        receiver_.configure(terms, pace);
        const bool was_retired = std::exchange(is_retired_, false);
        if (was_retired) receiver_.make_due();
        if (changed || was_retired) {
            gave_up_ = false;
            no_offers_until_ = Nanos(0);  // a peer that refused the old terms may accept these
        }
        if (changed && peer_ != 0 && !is_leaving_) end_session(now);
    }

    // Called when the link comes up. `session`: a random number other than 0, which earlier runs
    // are therefore unlikely to have used.
    void start(uint32_t session, Nanos now) {
        session_ = session;
        gave_up_ = is_leaving_ = false;
        parted_ = refused_by_ = 0;
        hold_until_ = now + longest_hold;
        no_offers_until_ = Nanos(0);
        lossless_at_peer_ = 0;
        restart();
        assert(is_consistent());
    }
    // Called when the link goes down.
    void stop() { start(0, Nanos(0)); }
    // Sets what LLDP reports about the other end: whether it uses credit, and for which priorities.
    void set_peer(CreditPeer ability, PrioritySet lossless, Nanos now) {
        lossless_by_lldp_ = lossless;
        if (std::exchange(ability_, ability) == ability) return;
        no_offers_until_ = Nanos(0);
        if (is_out() && (peer_ != 0 || parted_ != 0)) leave(now);
        if (ability != CreditPeer::able) return;
        refused_ = 0;
        receiver_.make_due();
    }
    // Stops using credit, and announces that to the peer if the peer has begun a session.
    void leave(Nanos now) {
        if (session_ == 0 || is_leaving_) return;
        end_session(now);
        is_leaving_ = parted_ != 0;
        assert(is_consistent());
    }
    // Whether this end is leaving credit and the peer has not answered yet.
    [[nodiscard]] bool is_leaving() const { return is_leaving_; }
    // Leaves credit, and then only answers until `configure` is called.
    void retire(Nanos now) {
        is_retired_ = true;
        leave(now);
    }
    // Whether the peer no longer holds frames, even if it did not answer.
    [[nodiscard]] bool is_done(Nanos now) const {
        const bool says_no_more = !is_leaving_ && refused_ == 0;
        return session_ == 0 || (says_no_more && now >= hold_until_ + longest_hold);
    }

    [[nodiscard]] bool has_link() const { return session_ != 0; }
    // Whether frames that may need credit are held back at `now`.
    [[nodiscard]] bool holds(Nanos now) const {
        const bool may_begin = !is_out() && !gave_up_ && !is_retired_ && !on_credit_;
        if (session_ == 0) return may_begin;
        return (may_begin || parted_ != 0) && now < hold_until_;
    }
    // Returns the priorities of frames that may need credit: those that are lossless at either end.
    [[nodiscard]] PrioritySet held_without_credit() const {
        return receiver_.terms().lossless | lossless_at_peer_ | lossless_by_lldp_;
    }
    [[nodiscard]] CreditState state(Nanos now) const {
        // A retired end shows as no_link once it has left credit.
        if (session_ == 0 || (is_retired_ && !is_leaving_)) return CreditState::no_link;
        if (on_credit_ && counts_) return CreditState::credit;
        const bool begins = holds(now) || (peer_ != 0 && listens());
        return begins ? CreditState::waits : CreditState::without;
    }

    // The two directions: what this end sends, and what it receives.
    CreditSender& sender() { return sender_; }
    CreditReceiver& receiver() { return receiver_; }
    [[nodiscard]] const CreditSender& sender() const { return sender_; }
    [[nodiscard]] const CreditReceiver& receiver() const { return receiver_; }

    [[nodiscard]] bool is_due(Nanos now) const {
        if (session_ == 0) return false;
        if (refused_ != 0) return true;
        if (is_leaving_) return receiver_.is_refresh_due(now);
        return listens() && now >= no_offers_until_ && receiver_.is_due(now);
    }
    // Returns the next update. The caller sends the update after all frames that `consume` counted,
    // and calls `sent` once the device has sent it.
    [[nodiscard]] CreditUpdate update() const {
        const bool answers = refused_ != 0;
        const PrioritySet lossless = receiver_.terms().lossless;
        return {.session = session_,
                .peer_session = answers       ? refused_
                                : is_leaving_ ? parted_
                                              : peer_,
                .number = number_,
                .terms = receiver_.terms(),
                .on_credit = is_established_,
                .counts = counts_,
                .leaves = is_leaving_ && !answers,
                .answers = answers,
                .present = static_cast<PrioritySet>(lossless | sender_.terms().lossless),
                .limits = receiver_.limits(),
                .consumed = sender_.consumed()};
    }
    void sent(Nanos now) {
        assert(session_ != 0 && is_consistent());
        if (std::exchange(refused_, 0) != 0) return;
        receiver_.sent(now);
        ++number_;
        on_credit_ = is_established_;
    }
    // Processes an update. The caller has counted all frames received before it. Returns the octets
    // lost on the wire, whose credit is returned.
    Bytes receive(const CreditUpdate& update, MacAddress from, Nanos now) {
        if (session_ == 0 || update.session == session_) return Bytes(0);  // looped back
        const bool is_peer = from == peer_address_;
        const bool leaves = is_leaving_;
        if (is_established_ && !is_peer) return Bytes(0);
        // The peer knows the current session: the hold ends. After this end left a peer, only that
        // peer's update counts.
        if (update.peer_session == session_ && (parted_ == 0 || from == parted_address_)) {
            parted_ = 0;
            is_leaving_ = false;
            hold_until_ = now;
        }
        if (update.answers) {
            if (!leaves) count_refusal(update);
            note_answer(update, leaves, now);
            return Bytes(0);
        }
        if (update.leaves) {
            if (peer_ != 0 && is_peer) begin_anew();
            answer(update, now);
            return Bytes(0);
        }
        if (is_leaving_) return Bytes(0);
        if (update.session != peer_ && is_established_) end_session(now);
        if (!listens()) {
            answer(update, now);
            return Bytes(0);
        }
        if (update.session != peer_) {
            restart();
            peer_ = update.session;
            peer_address_ = from;
            received_number_ = update.number - 1;
        }
        no_offers_until_ = Nanos(0);
        return follow(update, now);
    }

    // Ends the session if no update was received for `longest_silence`, and stops waiting for an
    // answer after `longest_hold`.
    void expire(Nanos now) {
        if (is_established_ && now - received_at_ > longest_silence) leave(now);
        if (now < hold_until_) return;
        parted_ = 0;
        is_leaving_ = false;
    }
    // Ends the session if frames of the priorities `lacking` waited for credit for `longest_wait`.
    // No session begins until the link comes up again or the terms change.
    void end_if_starved(PrioritySet lacking, Nanos now) {
        bool is_starved = false;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            Wait& wait = waits_[priority];
            const CreditCount limit = sender_.limits()[priority];
            const bool waits = (lacking & only_priority(priority)) != 0;
            if (!waits || wait.limit != limit || !wait.is_on) wait = {waits, limit, now};
            is_starved |= waits && now - wait.since > longest_wait;
        }
        if (!is_starved) return;
        leave(now);
        gave_up_ = true;
    }
    // Whether `end_if_starved` ended the session.
    [[nodiscard]] bool gave_up() const { return gave_up_; }

    // Return whether an update of the peer was accepted; whether the peer's frames count against
    // credit; and whether the frames of this end count against credit.
    [[nodiscard]] bool is_established() const { return is_established_; }
    [[nodiscard]] bool counts() const { return counts_; }
    [[nodiscard]] bool sends_on_credit() const { return on_credit_; }
    // Updates of the peer that were lost, over all sessions.
    [[nodiscard]] uint64_t lost_updates() const { return lost_updates_; }
    // Returns how often a peer refused a session although LLDP reports that the peer uses credit:
    // the peer may not have received this end's LLDP yet. Of consecutive refusals by one session
    // only the first, second, fourth and so on are counted.
    [[nodiscard]] uint64_t refusals() const { return refusals_; }

  private:
    // Whether frames of a priority wait for credit, since when, and the limit at that time.
    struct Wait {
        bool is_on = false;
        CreditCount limit = 0;
        Nanos since;
    };

    // Whether the states of the session fit together.
    [[nodiscard]] bool is_consistent() const {
        return (!is_established_ || (peer_ != 0 && session_ != 0)) &&
               (is_established_ || (!counts_ && !on_credit_)) && (!is_leaving_ || parted_ != 0);
    }
    [[nodiscard]] bool is_out() const {
        return ability_ == CreditPeer::unable || ability_ == CreditPeer::no_lldp;
    }
    [[nodiscard]] bool listens() const {
        return !gave_up_ && !is_retired_ && (ability_ == CreditPeer::able || is_established_);
    }
    // Processes an update of the peer's current session.
    Bytes follow(const CreditUpdate& update, Nanos now) {
        const Bytes ahead = ahead_of(update.number, received_number_);
        if (ahead <= Bytes(0)) return Bytes(0);  // late, or a duplicate
        received_number_ = update.number;
        lost_updates_ += static_cast<uint64_t>(ahead.count() - 1);
        if (update.peer_session != session_) {
            lossless_at_peer_ |= update.terms.lossless;  // keeps the earlier priorities as well
            if (may_answer(now)) receiver_.make_due();
            return Bytes(0);
        }
        lossless_at_peer_ = update.terms.lossless;
        const bool is_news = !is_established_ || counts_ != update.on_credit;
        if (is_news) receiver_.make_due();  // the next update confirms the change
        is_established_ = true;
        received_at_ = now;
        counts_ = update.on_credit;
        assert(is_consistent());
        sender_.receive(update.terms, update.counts ? update.limits : CreditCounts{});
        Bytes lost;
        for_each_priority(update.present, [&](Priority priority) {
            lost += std::max(Bytes(0), receiver_.reconcile(priority, update.consumed[priority]));
        });
        return lost;
    }
    // Processes an answer: the peer knows that this end leaves, or does not use credit.
    void note_answer(const CreditUpdate& update, bool leaves, Nanos now) {
        if (update.peer_session != session_) return;
        if (peer_ != 0) begin_anew();
        if (!leaves) no_offers_until_ = now + pause_of_offers;
    }
    void count_refusal(const CreditUpdate& update) {
        if (update.peer_session != session_ || !listens()) return;
        if (std::exchange(refused_by_, update.session) != update.session) refused_in_a_row_ = 0;
        if (std::has_single_bit(++refused_in_a_row_)) ++refusals_;
    }
    void answer(const CreditUpdate& update, Nanos now) {
        if (may_answer(now)) refused_ = update.session;
    }
    // Begins a session under the next number, without a peer.
    void begin_anew() {
        session_ = next_session();
        restart();
    }
    // Ends the session, and holds frames: the peer may count in the old session until it receives
    // the number of the new one.
    void end_session(Nanos now) {
        if (peer_ != 0) {
            parted_ = peer_;
            parted_address_ = peer_address_;
        }
        hold_until_ = now + longest_hold;
        begin_anew();
    }
    // Forgets the peer's session.
    void restart() {
        peer_ = refused_ = 0;
        is_established_ = false;
        counts_ = false;
        on_credit_ = false;
        waits_ = {};
        sender_.restart();
        receiver_.restart();
    }
    [[nodiscard]] bool may_answer(Nanos now) {
        constexpr Nanos span{1'000'000};
        if (now - answering_since_ >= span) {
            answering_since_ = now;
            answers_ = 0;
        }
        return answers_++ < most_answers;
    }
    [[nodiscard]] uint32_t next_session() const {
        return session_ == UINT32_MAX ? 1 : session_ + 1;
    }

    CreditSender sender_;
    CreditReceiver receiver_;
    uint32_t session_ = 0;           // this end's session; 0: the link is down
    uint32_t peer_ = 0;              // the peer's session; 0: none was received
    uint32_t parted_ = 0;            // peer's session that this end left, until the peer answers
    uint32_t refused_ = 0;           // the peer's session to which an answer is due; 0: none
    uint32_t refused_by_ = 0;        // the peer's session that last refused this session; 0: none
    uint32_t refused_in_a_row_ = 0;  // consecutive refusals by `refused_by_`
    MacAddress peer_address_;
    MacAddress parted_address_;     // address of the peer that this end left
    uint32_t number_ = 0;           // number of the next update
    uint32_t received_number_ = 0;  // number of the peer's last update
    CreditPeer ability_ = CreditPeer::unknown;
    bool is_established_ = false;
    bool counts_ = false;
    bool on_credit_ = false;
    bool is_leaving_ = false;
    bool gave_up_ = false;
    bool is_retired_ = false;
    PrioritySet lossless_at_peer_ = 0;  // lossless priorities, by the peer's updates
    PrioritySet lossless_by_lldp_ = 0;
    unsigned answers_ = 0;  // answers since `answering_since_`
    Nanos answering_since_;
    Nanos hold_until_;
    Nanos no_offers_until_;
    Nanos received_at_;
    std::array<Wait, max_priorities> waits_{};
    uint64_t lost_updates_ = 0;
    uint64_t refusals_ = 0;
};

}  // namespace sluice
