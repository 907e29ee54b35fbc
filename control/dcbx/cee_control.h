// CeeControl: tracks which of a port's changes the peer has seen, by CEE's Control sub-TLV.
//
// `seqno` is incremented when the advertised features have changed, but not before the peer has
// acknowledged the last `seqno`; until then a further change waits. `ackno` is the peer's own last
// seqno. `syncd`: the peer has seen all changes. A peer whose TLVs have aged out is forgotten.
// Bound: one unacknowledged seqno. Errors are those of features (symmetric.h).
// Follows CEE 1.01, the DCBX control state machine.
#pragma once

#include <cstdint>
#include <optional>

#include "control/dcbx/model.h"

namespace sluice::dcbx {

class CeeControl {
  public:
    // Called when the advertised features have changed.
    void changed() {
        something_changed_ = true;
        advance();
    }
    void receive(const std::optional<Control>& control) {
        received_ = control.has_value();
        ackno_ = control ? control->seqno : 0;
        rcvd_ackno_ = control ? control->ackno : 0;
        advance();
    }

    [[nodiscard]] Control to_send() const { return {.seqno = seqno_, .ackno = ackno_}; }
    [[nodiscard]] bool syncd() const {
        return received_ && rcvd_ackno_ == seqno_ && !something_changed_;
    }

  private:
    void advance() {
        if (!something_changed_ || rcvd_ackno_ != seqno_) return;
        ++seqno_;
        something_changed_ = false;
    }

    uint32_t seqno_ = 1;
    uint32_t ackno_ = 0;  // 0: nothing received
    uint32_t rcvd_ackno_ = 0;
    bool received_ = false;
    bool something_changed_ = false;
};

}  // namespace sluice::dcbx
