// IngressGroup: the buffer that one (input, priority) holds, by account. Written by the input's
// worker; anyone may read.
//
// A lossless group takes from the shared pool up to XOFF, and from its own headroom beyond. Its
// peer is to be paused from the first octet above XOFF, or the first that the pool would not take,
// until the headroom is empty and no more than XON is held. XON <= XOFF, so it does not flutter.
// Follows SONiC's ingress accounting, by (port, priority); pausing by the depth of an output is
// another way and not this one.
#pragma once

#include "dataplane/counters.h"
#include "dataplane/frame.h"
#include "dataplane/settings.h"
#include "dataplane/units.h"

namespace sluice {

class IngressGroup {
  public:
    void charge(Account account, Bytes amount) {
        Counter& held = account == Account::headroom ? headroom_ : buffer_;
        held.add(static_cast<uint64_t>(amount.count()));
        if (account == Account::headroom) headroom_max_.raise_to(headroom_.value());
        max_.raise_to(buffer_.value() + headroom_.value());
    }
    void release(Account account, Bytes amount) {
        Counter& held = account == Account::headroom ? headroom_ : buffer_;
        held.subtract(static_cast<uint64_t>(amount.count()));
    }

    // A frame of `amount` fits below XOFF; whether the pool has it is another question.
    [[nodiscard]] bool below_xoff(Bytes amount, const PfcSettings& pfc) const {
        return headroom_.value() == 0 && buffer() + amount <= pfc.xoff;
    }
    [[nodiscard]] bool fits_headroom(Bytes amount, const PfcSettings& pfc) const {
        return headroom() + amount <= pfc.headroom;
    }
    [[nodiscard]] bool at_xon(const PfcSettings& pfc) const {
        return headroom_.value() == 0 && buffer() <= pfc.xon;
    }

    [[nodiscard]] Bytes buffer() const { return Bytes(static_cast<int64_t>(buffer_.value())); }
    [[nodiscard]] Bytes headroom() const { return Bytes(static_cast<int64_t>(headroom_.value())); }
    [[nodiscard]] Bytes occupancy() const { return buffer() + headroom(); }
    [[nodiscard]] uint64_t max() const { return max_.value(); }
    [[nodiscard]] uint64_t headroom_max() const { return headroom_max_.value(); }

  private:
    Counter buffer_;  // reserved and shared
    Counter headroom_;
    Counter max_;
    Counter headroom_max_;
};

}  // namespace sluice
