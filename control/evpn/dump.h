// Dump: requests the kernel's tables by NLM_F_DUMP: all links, then all forwarding entries and
// then, if wanted, all neighbours, until each list arrived whole. Pure: time is an argument; the
// caller of `next` sends.
//
// One request is under way at a time. A request that could not be sent, was refused (EBUSY), was
// interrupted by a change, or is not complete after `timeout` is repeated after `pause`; if
// messages were lost, all lists are requested again. Answers are matched by their sequence numbers,
// so the end of an abandoned request does not end the next one.
#pragma once

#include <cstdint>

#include "dataplane/types/units.h"

namespace sluice::control::evpn {

class Dump {
  public:
    enum class What : uint8_t { none, links, entries, neighbours };
    static constexpr Nanos pause{200'000'000};
    static constexpr Nanos timeout{10'000'000'000};
    // Marks the numbers of dump requests, so that no other request has one.
    static constexpr uint32_t mark = uint32_t{1} << 31;

    explicit Dump(bool with_neighbours = false) : with_neighbours_(with_neighbours) {}

    // Returns the list to request now; the request has to carry `number()`. The caller reports by
    // `sent` whether it could send the request.
    [[nodiscard]] What next(Nanos now) {
        if (under_way_ != What::none && now - asked_ >= timeout) again(under_way_, now);
        if (under_way_ != What::none || now < not_before_) return What::none;
        return wanted_;
    }
    [[nodiscard]] uint32_t number() const { return mark | count_; }
    void sent(bool could, Nanos now) {
        if (!could) return again(wanted_, now);
        under_way_ = wanted_;
        wanted_ = What::none;
        interrupted_ = false;
        asked_ = now;
    }

    // Ends the dump request with `number`, which succeeded or failed with the errno `error`.
    // Returns the list that is now complete, or `none`.
    [[nodiscard]] What answer(uint32_t number, int error, Nanos now) {
        if (number != this->number() || under_way_ == What::none) return What::none;
        if (error != 0 || interrupted_) {
            again(under_way_, now);
            return What::none;
        }
        count_ = (count_ + 1) & ~mark;
        const What ended = under_way_;
        under_way_ = What::none;
        if (ended == What::links) want_entries();
        if (ended == What::entries && with_neighbours_ && wanted_ == What::none) {
            wanted_ = What::neighbours;
        }
        return ended;
    }
    void interrupt(uint32_t number) {
        if (number == this->number()) interrupted_ = true;
    }
    void lose(Nanos now) { again(What::links, now); }
    // Requests the entries, and the lists after them, as soon as possible.
    void want_entries() {
        if (wanted_ != What::links) wanted_ = What::entries;
    }
    // Requests the entries, and the lists after them, after a pause.
    void want_entries_later(Nanos now) {
        want_entries();
        not_before_ = now + pause;
    }

    // Whether all requested lists are complete.
    [[nodiscard]] bool is_done() const { return under_way_ == What::none && wanted_ == What::none; }

  private:
    void again(What what, Nanos now) {
        count_ = (count_ + 1) & ~mark;
        under_way_ = What::none;
        if (wanted_ == What::none || what == What::links) wanted_ = what;
        not_before_ = now + pause;
    }

    bool with_neighbours_;
    What under_way_ = What::none;
    What wanted_ = What::links;
    bool interrupted_ = false;
    uint32_t count_ = 1;
    Nanos asked_{0};
    Nanos not_before_{0};
};

}  // namespace sluice::control::evpn
