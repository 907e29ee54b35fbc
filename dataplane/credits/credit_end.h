// CreditEnd: credit-based flow control at one end of a link, in both directions: it sends frames on
// the credit that the peer advertised, advertises credit for what it receives, and agrees with the
// peer on the session in which both count.
//
// Sessions. All counts begin at 0 with a session. An end begins one when it starts and whenever its
// link comes up, under a number that was not used before; the peer begins to count from 0 when it
// receives that number. An end accepts an update only if it names the end's own current
// session. Having accepted one, it confirms that and sends nothing without credit any more. The
// peer counts from that confirmation on: updates and frames keep their order, so everything that
// was sent before it has been stored, has left or is lost by then. What is stored is not advertised
// a second time. So a restart of either side or of the link neither loses credit nor creates any.
// Before a session is agreed on, and again after the peer was silent for `longest_silence`, the
// link goes by its other flow control. If both ends start at once they agree with the third update
// of each.
//
// Peers. An end begins only if LLDP says that the peer can do it, and accepts nothing before that.
// An agreed session goes on if LLDP falls silent or shows a second neighbour; updates of anybody
// else are ignored. If the peer begins anew, so does this end.
//
// Holding. An end does not know at times whether the peer still counts an earlier session of its
// own: after the link came up, after it began anew by itself, and while it leaves credit. Then it
// holds back all that would need credit, for `longest_hold` at the most. An update that names the
// current session ends that early, as a peer that sends it has no other session and has paused this
// end before, if it had to. So an end that leaves says so at each refresh until it is answered, and
// an end that gets updates which it does not want answers in the same way; an end that gets such an
// answer from one that does not leave stays silent for a while. Where both leave, one may have its
// answer first: it goes on answering for `longest_hold`, by when the other's hold is over in any
// case.
//
// A session in which frames waited for credit for `longest_wait` ends, and none begins until the
// link comes up again or the terms change.
// Bound: O(1) a frame; eight priorities an update. Not done here: noticing the link, finding out by
// LLDP who the peer is (control/credits), numbers of sessions, octets (credit_update.h).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "dataplane/credits/credit_receiver.h"
#include "dataplane/credits/credit_sender.h"
#include "dataplane/credits/credit_update.h"

namespace sluice {

// Whether the other end goes by credit, by LLDP. With several neighbours, of which one does, nobody
// knows who that is; where LLDP is disabled nobody ever will.
enum class CreditPeer : uint8_t { unknown, able, unable, several, no_lldp };

// What holds back what an end sends and receives: nothing is known yet; whatever there is without
// credit; credit, both ways.
enum class CreditState : uint8_t { no_link, waits, without, credit };

class CreditEnd {
  public:
    // Longer than a switch is away that restarts, so that nothing is sent to it meanwhile; and than
    // any refresh.
    static constexpr Nanos longest_silence{10'000'000'000};
    // And than frames wait for credit in a session.
    static constexpr Nanos longest_wait{10'000'000'000};
    // What needs credit is held for so long at the most.
    static constexpr Nanos longest_hold{3'000'000'000};
    // One that is not listened to says nothing for so long.
    static constexpr Nanos pause_of_offers{1'000'000'000};
    // What it answers at the most, in each millisecond.
    static constexpr unsigned most_answers = 16;

    // Of what it receives, and is to send on credit.
    CreditEnd(const CreditTerms& terms, const CreditPace& pace) : receiver_(terms, pace) {}

    CreditEnd() : CreditEnd({}, {}) {}
    // With other terms a session begins anew, since the old one goes by those before.
    void configure(const CreditTerms& terms, const CreditPace& pace, Nanos now) {
        const bool changed = terms != receiver_.terms();
        receiver_.configure(terms, pace);
        const bool was_retired = std::exchange(is_retired_, false);
        if (was_retired) receiver_.make_due();
        if (changed || was_retired) {
            gave_up_ = false;
            quiet_until_ = Nanos(0);  // who did not listen to the one before may to this
        }
        if (changed && peer_ != 0 && !is_leaving_) end_session(now);
    }

    // The link came. `session`: not 0, and by chance, so that no earlier run had it.
    void start(uint32_t session, Nanos now) {
        session_ = session;
        gave_up_ = is_leaving_ = false;
        parted_ = refused_by_ = 0;
        hold_until_ = now + longest_hold;
        quiet_until_ = Nanos(0);
        lossless_at_peer_ = 0;
        restart();
    }
    // It went.
    void stop() { start(0, Nanos(0)); }
    // What LLDP says of the other end from now on, and of which priorities.
    void set_peer(CreditPeer ability, PrioritySet lossless, Nanos now) {
        lossless_by_lldp_ = lossless;
        if (std::exchange(ability_, ability) == ability) return;
        quiet_until_ = Nanos(0);
        if (is_out() && (peer_ != 0 || parted_ != 0)) leave(now);
        if (ability != CreditPeer::able) return;
        refused_ = 0;
        receiver_.make_due();
    }
    // It goes by credit no more. A peer that never confirmed a session of this end is not notified.
    void leave(Nanos now) {
        if (session_ == 0 || is_leaving_) return;
        end_session(now);
        is_leaving_ = parted_ != 0;
    }
    // That the other has not answered yet.
    [[nodiscard]] bool is_leaving() const { return is_leaving_; }
    // Leaves, and from then on only answers, until it is configured again.
    void retire(Nanos now) {
        is_retired_ = true;
        leave(now);
    }
    // Whether the peer that it left has stopped holding by now, answered or not.
    [[nodiscard]] bool is_done(Nanos now) const {
        const bool says_no_more = !is_leaving_ && refused_ == 0;
        return session_ == 0 || (says_no_more && now >= hold_until_ + longest_hold);
    }

    [[nodiscard]] bool has_link() const { return session_ != 0; }
    // That nothing is to be sent that may need credit.
    [[nodiscard]] bool holds(Nanos now) const {
        const bool may_begin = !is_out() && !gave_up_ && !is_retired_ && !on_credit_;
        if (session_ == 0) return may_begin;
        return (may_begin || parted_ != 0) && now < hold_until_;
    }
    // What that is: it may be lossless at one end alone.
    [[nodiscard]] PrioritySet held_without_credit() const {
        return receiver_.terms().lossless | lossless_at_peer_ | lossless_by_lldp_;
    }
    [[nodiscard]] CreditState state(Nanos now) const {
        // Of one that has left nothing is shown but that it leaves.
        if (session_ == 0 || (is_retired_ && !is_leaving_)) return CreditState::no_link;
        if (on_credit_ && counts_) return CreditState::credit;
        const bool begins = holds(now) || (peer_ != 0 && listens());
        return begins ? CreditState::waits : CreditState::without;
    }

    // What it sends, and what it receives.
    CreditSender& sender() { return sender_; }
    CreditReceiver& receiver() { return receiver_; }
    [[nodiscard]] const CreditSender& sender() const { return sender_; }
    [[nodiscard]] const CreditReceiver& receiver() const { return receiver_; }

    [[nodiscard]] bool is_due(Nanos now) const {
        if (session_ == 0) return false;
        if (refused_ != 0) return true;
        if (is_leaving_) return receiver_.is_refresh_due(now);
        return listens() && now >= quiet_until_ && receiver_.is_due(now);
    }
    // To be sent behind all that was consumed; call `sent` once the device took it.
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
        if (std::exchange(refused_, 0) != 0) return;
        receiver_.sent(now);
        ++number_;
        on_credit_ = is_established_;
    }
    // What somebody says, once all that came before is counted. Returns how much was lost on the
    // way.
    Bytes receive(const CreditUpdate& update, MacAddress from, Nanos now) {
        if (session_ == 0 || update.session == session_) return Bytes(0);  // its own, come back
        const bool is_peer = from == peer_address_;
        const bool leaves = is_leaving_;
        if (is_established_ && !is_peer) return Bytes(0);
        // Of the peer that it left, not of another that answers.
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
        quiet_until_ = Nanos(0);
        return follow(update, now);
    }

    // Ends the session where the other end was silent for too long, and what waits for an answer
    // that does not come. That was long enough.
    void expire(Nanos now) {
        if (is_established_ && now - received_at_ > longest_silence) leave(now);
        if (now < hold_until_) return;
        parted_ = 0;
        is_leaving_ = false;
    }
    // Ends it where frames of `lacking` waited for credit for too long, and goes without.
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
    // That it did so.
    [[nodiscard]] bool gave_up() const { return gave_up_; }

    // Whether the other end is believed; what it sends is counted; what is sent to it is on credit.
    [[nodiscard]] bool is_established() const { return is_established_; }
    [[nodiscard]] bool counts() const { return counts_; }
    [[nodiscard]] bool sends_on_credit() const { return on_credit_; }
    // Updates of the other that did not come, of all sessions.
    [[nodiscard]] uint64_t lost_updates() const { return lost_updates_; }
    // How often somebody did not listen though LLDP says that he goes by credit: he may have no
    // neighbour yet. In a row of one session the first, second, fourth and so on count.
    [[nodiscard]] uint64_t refusals() const { return refusals_; }

  private:
    // For how long frames of a priority wait, and which limit they wait at.
    struct Wait {
        bool is_on = false;
        CreditCount limit = 0;
        Nanos since;
    };

    [[nodiscard]] bool is_out() const {
        return ability_ == CreditPeer::unable || ability_ == CreditPeer::no_lldp;
    }
    [[nodiscard]] bool listens() const {
        return !gave_up_ && !is_retired_ && (ability_ == CreditPeer::able || is_established_);
    }
    // In the session that both are in.
    Bytes follow(const CreditUpdate& update, Nanos now) {
        const Bytes ahead = ahead_of(update.number, received_number_);
        if (ahead <= Bytes(0)) return Bytes(0);  // it came late, or twice
        received_number_ = update.number;
        lost_updates_ += static_cast<uint64_t>(ahead.count() - 1);
        if (update.peer_session != session_) {
            lossless_at_peer_ |= update.terms.lossless;  // beside that of whom it parted from
            if (may_answer(now)) receiver_.make_due();
            return Bytes(0);
        }
        lossless_at_peer_ = update.terms.lossless;
        const bool is_news = !is_established_ || counts_ != update.on_credit;
        if (is_news) receiver_.make_due();  // to say so
        is_established_ = true;
        received_at_ = now;
        counts_ = update.on_credit;
        sender_.receive(update.terms, update.counts ? update.limits : CreditCounts{});
        Bytes lost;
        for_each_priority(update.present, [&](Priority priority) {
            lost += std::max(Bytes(0), receiver_.reconcile(priority, update.consumed[priority]));
        });
        return lost;
    }
    // One that has received that this end leaves, or that does not listen.
    void note_answer(const CreditUpdate& update, bool leaves, Nanos now) {
        if (update.peer_session != session_) return;
        if (peer_ != 0) begin_anew();
        if (!leaves) quiet_until_ = now + pause_of_offers;
    }
    void count_refusal(const CreditUpdate& update) {
        if (update.peer_session != session_ || !listens()) return;
        if (std::exchange(refused_by_, update.session) != update.session) refused_in_a_row_ = 0;
        if (std::has_single_bit(++refused_in_a_row_)) ++refusals_;
    }
    void answer(const CreditUpdate& update, Nanos now) {
        if (may_answer(now)) refused_ = update.session;
    }
    // The other said that it has ended its own.
    void begin_anew() {
        session_ = next_session();
        restart();
    }
    // The other may go by it until it receives the next.
    void end_session(Nanos now) {
        if (peer_ != 0) {
            parted_ = peer_;
            parted_address_ = peer_address_;
        }
        hold_until_ = now + longest_hold;
        begin_anew();
    }
    // Nothing is known of the other's.
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
    uint32_t session_ = 0;     // 0: there is no link
    uint32_t peer_ = 0;        // 0: none was received
    uint32_t parted_ = 0;      // of the other, who may go by a session of this one's that is over
    uint32_t refused_ = 0;     // the peer's session that an answer is due to; 0: none
    uint32_t refused_by_ = 0;  // the last session that said so to this one; 0: none
    uint32_t refused_in_a_row_ = 0;  // by that
    MacAddress peer_address_;
    MacAddress parted_address_;     // whose that is
    uint32_t number_ = 0;           // of the next update
    uint32_t received_number_ = 0;  // of the last one of the other
    CreditPeer ability_ = CreditPeer::unknown;
    bool is_established_ = false;
    bool counts_ = false;
    bool on_credit_ = false;
    bool is_leaving_ = false;
    bool gave_up_ = false;
    bool is_retired_ = false;
    PrioritySet lossless_at_peer_ = 0;  // as received last, or of any since it began anew
    PrioritySet lossless_by_lldp_ = 0;
    unsigned answers_ = 0;  // since then
    Nanos answering_since_;
    Nanos hold_until_;
    Nanos quiet_until_;
    Nanos received_at_;
    std::array<Wait, max_priorities> waits_{};
    uint64_t lost_updates_ = 0;
    uint64_t refusals_ = 0;
};

}  // namespace sluice
