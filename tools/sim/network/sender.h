// Sender: chooses the next frame of a host, and obeys PFC.
//
// Its sources take turns (source.h); all together send at one rate. A pause frame takes effect a
// `response` after its last bit arrived, and never before an earlier pause frame; then the priority
// is paused for the frame's quanta. A new pause replaces the rest of the old one, and a pause of 0
// quanta ends it. Pauses take effect only between frames. So this is the slowest peer that obeys
// 802.1Qbb, or one that does not obey at all.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/pfc/pause_frame.h"
#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/random.h"
#include "tools/sim/network/credit_line.h"
#include "tools/sim/network/packet.h"
#include "tools/sim/network/picos.h"
#include "tools/sim/network/source.h"

namespace sluice::sim {

class alignas(64) Sender {
  public:
    Sender(MacAddress address, BitsPerSecond speed)
        : rate_(speed), speed_(speed), octet_time_(octet_time(speed)), address_(address) {}

    // --- setup ----------------------------------------------------------------------------------
    void add(const Flow& flow, uint32_t number) { add(flow, {{flow.to, number}}, 1); }
    // Adds a flow to several receivers, which take turns or are drawn (chooses_at_random).
    // `flow.to` is not used. Returns the number of the flow's source.
    std::size_t add(const Flow& flow, const std::vector<Target>& targets, uint64_t seed,
                    std::unique_ptr<RateControl> control = {});
    Source& source(std::size_t number) { return sources_[number]; }
    [[nodiscard]] const Source& source(std::size_t number) const { return sources_[number]; }
    // Opens a source that sends only to `flow.to` and will be closed; it reuses the number of a
    // closed source, if there is one. `numbered` returns the flow's number in the source's frames.
    std::size_t open(const Flow& flow, std::unique_ptr<RateControl> control,
                     const std::function<uint32_t(std::size_t)>& numbered);
    void close(std::size_t number) {
        sources_[number].close();
        closed_.push_back(number);
    }
    void set_response(Nanos response) { response_ = picos(response); }
    void set_obeys(bool obeys) { obeys_ = obeys; }
    // Sets the credit: the sender then begins a frame only if the credit covers the longest frame
    // that the frame's source may send next.
    void set_credit(CreditLine* line) { credit_ = line; }
    // Sets the rate on the wire, including overhead; 0 stops sending.
    void set_rate(BitsPerSecond rate) { rate_ = rate; }
    [[nodiscard]] uint64_t sent(Priority priority) const { return sent_[priority]; }
    // Number of pause frames.
    [[nodiscard]] uint64_t pauses_received() const { return pauses_received_; }

    // --- called by the host ---------------------------------------------------------------------
    // Queues a received pause. Returns when it takes effect.
    Picos receive(const PauseFrame& pause, Picos now);
    // Handles a notice that a frame of the pair was marked, unless `passes` is false. Returns the
    // row of results that counts the notice.
    uint16_t receive_notice(uint32_t pair, Picos now, bool passes = true);
    void receive_acknowledgement(uint32_t pair, const FrameReport& report, Picos now) {
        if (Source* source = named(pair)) source->acknowledged(report, now);
    }
    // Whether received pauses have not taken effect yet.
    [[nodiscard]] bool has_received_pauses() const { return has_received_pauses_; }
    // Applies the pauses that are due. Returns the times at which their priorities are released,
    // each once, the earliest first.
    std::span<const Picos> obey(Picos now);
    // Fills the packet with the next frame that may be sent. Returns false if there is none now.
    bool next(Packet& packet, Picos now);
    // Returns when the sender's rate allows the next frame.
    [[nodiscard]] Picos not_before() const { return not_before_; }
    [[nodiscard]] bool holds(Priority priority, Picos now) const {
        return now < any_held_until_ && now < held_until_[priority];
    }
    // Takes credit for a frame that belongs to no source, if the frame may be sent. Returns whether
    // it may be sent.
    bool lets_out(Packet& packet, Picos now) {
        const Priority priority = packet.priority;
        if (holds(priority, now)) return false;
        if (credit_ == nullptr) return true;
        if (!credit_->covers(priority, Bytes(packet.length))) return false;
        credit_->spend(packet, priority);
        return true;
    }
    // Returns when the next source that has to wait may send; Schedule::never if none waits.
    [[nodiscard]] Picos next_due(Picos now) const;
    // Returns the earliest time, from `time` on, at which a source may send, as known now.
    [[nodiscard]] Picos ready_from(Picos time) const;

  private:
    struct ReceivedPause {
        Picos at;
        PauseFrame pause;
    };

    // The lower bits of a pair are the number of a source; the upper bits count the earlier sources
    // with that number.
    static constexpr unsigned pair_bits = 20;

    // Returns null if the source was closed.
    Source* named(uint32_t pair) {
        const std::size_t number = pair & ((uint32_t{1} << pair_bits) - 1);
        if (number >= sources_.size() || sources_[number].pair() != pair) return nullptr;
        return &sources_[number];
    }
    [[nodiscard]] bool has_credit(const Source& source) const;

    // Members that most frames need, in a cache line and a half.
    BitsPerSecond rate_;
    BitsPerSecond speed_;
    Picos octet_time_;
    Picos not_before_;
    std::vector<Source> sources_;
    std::size_t turn_ = 0;
    CreditLine* credit_ = nullptr;
    Picos any_held_until_;  // latest time in `held_until_`
    bool has_received_pauses_ = false;
    bool obeys_ = true;
    Random random_{1};
    std::array<uint64_t, max_priorities> sent_{};
    MacAddress address_;
    std::array<Picos, max_priorities> held_until_;
    Picos response_;
    std::deque<ReceivedPause> received_pauses_;
    std::vector<Picos> ends_;  // ends of the pauses that `obey` applied last
    std::vector<std::size_t> closed_;
    uint64_t pauses_received_ = 0;
};

}  // namespace sluice::sim
