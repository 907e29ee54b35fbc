// CreditEnd: one end of a link by credit, both directions of it: it sends on credit, gives credit
// for what it receives, and knows in which session the other end counts.
//
// A session is in which an end counts from 0. It begins a new one, by a number that it had not
// before, when it starts and when its link comes; the other counts from 0 again when it hears that.
// An end believes only an update that says that it has heard the session of this one; then it says
// so, and sends nothing without credit from then on. The other counts from when it hears that,
// which is the same frame, as updates and frames keep their order; its limits hold from then on,
// since what was sent before stands in its buffer by now, or has left, or is lost. What stands
// there is not offered again. So a restart of either side, or of the link, neither loses credit nor
// makes any. Until then the link goes by whatever else holds it back, and so it does again when the
// other is silent for long.
// Between two ends that both start, that settles with the third update of either.
// Bound: O(1) a frame, eight priorities an update. Not done here: when the link comes and goes,
// numbers of sessions, octets (credit_update.h).
#pragma once

#include <cstdint>

#include "dataplane/credits/credit_receiver.h"
#include "dataplane/credits/credit_sender.h"
#include "dataplane/credits/credit_update.h"

namespace sluice {

class CreditEnd {
  public:
    // Longer than a switch is away that restarts, so that nothing is sent to it meanwhile; and than
    // any refresh.
    static constexpr Nanos longest_silence{10'000'000'000};

    // Of what it receives, and is to send on credit.
    CreditEnd(const CreditTerms& terms, const CreditPace& pace) : receiver_(terms, pace) {}

    CreditEnd() : CreditEnd({}, {}) {}
    // Other terms, of the same session. The peer goes on by those that it was told until it hears.
    void configure(const CreditTerms& terms, const CreditPace& pace) {
        receiver_.configure(terms, pace);
    }

    // The link came. `session`: not 0, and by chance, so that no earlier run had it.
    void start(uint32_t session) {
        session_ = session;
        peer_ = 0;
        restart();
    }
    // It went.
    void stop() { start(0); }

    [[nodiscard]] bool has_link() const { return session_ != 0; }

    // What it sends, and what it receives.
    CreditSender& sender() { return sender_; }
    CreditReceiver& receiver() { return receiver_; }
    [[nodiscard]] const CreditSender& sender() const { return sender_; }
    [[nodiscard]] const CreditReceiver& receiver() const { return receiver_; }

    [[nodiscard]] bool is_due(Nanos now) const { return session_ != 0 && receiver_.is_due(now); }
    // To be sent behind all that was spent; call `sent` once the device took it.
    [[nodiscard]] CreditUpdate update() const {
        const PrioritySet governed = receiver_.terms().governed;
        return {.session = session_,
                .heard = peer_,
                .terms = receiver_.terms(),
                .spends = is_established_,
                .counts = counts_,
                .told = static_cast<PrioritySet>(governed | sender_.terms().governed),
                .limits = receiver_.limits(),
                .spent = sender_.spent()};
    }
    void sent(Nanos now) {
        receiver_.sent(now);
        spends_ = is_established_;
    }
    // What the other end says, once all that came before is taken. Returns how much was lost on the
    // way.
    Bytes hear(const CreditUpdate& update, Nanos now) {
        if (session_ == 0 || update.session == session_) return Bytes(0);  // its own, come back
        if (update.session != peer_) {
            peer_ = update.session;
            restart();
        }
        if (update.heard != session_) {
            receiver_.make_due();
            return Bytes(0);
        }
        if (!is_established_ || counts_ != update.spends) receiver_.make_due();  // to say so
        is_established_ = true;
        heard_at_ = now;
        counts_ = update.spends;
        sender_.hear(update.terms, update.counts ? update.limits : CreditCounts{});
        Bytes lost;
        for_each_priority(update.told, [&](Priority priority) {
            lost += receiver_.hear(priority, update.spent[priority]);
        });
        return lost;
    }

    // Ends the session where the other end was silent for too long.
    void end_if_silent(Nanos now) {
        if (is_established_ && now - heard_at_ > longest_silence) start(next_session());
    }

    // Whether the other end is believed; what it sends is counted; what is sent to it is spent for.
    [[nodiscard]] bool is_established() const { return is_established_; }
    [[nodiscard]] bool counts() const { return counts_; }
    [[nodiscard]] bool spends() const { return spends_; }

  private:
    void restart() {
        is_established_ = false;
        counts_ = false;
        spends_ = false;
        sender_.restart();
        receiver_.restart();
    }
    [[nodiscard]] uint32_t next_session() const {
        return session_ == UINT32_MAX ? 1 : session_ + 1;
    }

    CreditSender sender_;
    CreditReceiver receiver_;
    uint32_t session_ = 0;  // 0: there is no link
    uint32_t peer_ = 0;     // 0: none was heard
    bool is_established_ = false;
    bool counts_ = false;
    bool spends_ = false;
    Nanos heard_at_;
};

}  // namespace sluice
