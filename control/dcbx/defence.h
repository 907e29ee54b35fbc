// Defence: the state machine that discards frames of a feature while the peer does not have it:
// without PFC on a priority a peer does not pause, so its frames of that priority could fill the
// buffers of others.
//
// The defence is on for a priority while this port enforces defences and has the feature on, and
// the peer has the feature off or does not advertise it. While the defence of PFC is on, all frames
// of the priority are discarded, except those of bridges (BPDUs and the like) and LLDP.
// Bound: eight bits; the state follows from the variables alone. Not done here: holding back this
// port's frames until the peer's defences are off (hold.h).
// Follows 0409v3, "defense option"; the final standard has none.
#pragma once

#include <optional>

#include "dataplane/types/limits.h"

namespace sluice::dcbx {

class Defence {
  public:
    // Sets whether the port enforces defences. Some features always enforce defences; for these the
    // value is always true.
    void set_local(bool defense_enabled) { defense_enabled_ = defense_enabled; }
    void receive(PrioritySet oper_param, std::optional<PrioritySet> remote_param) {
        oper_param_ = oper_param;
        remote_param_ = remote_param;
    }

    [[nodiscard]] bool defense_enabled() const { return defense_enabled_; }
    // Returns the priorities with SetDefenses(On).
    [[nodiscard]] PrioritySet on() const {
        if (!defense_enabled_) return 0;
        return static_cast<PrioritySet>(oper_param_ & ~remote_param_.value_or(0));
    }

  private:
    bool defense_enabled_ = false;
    PrioritySet oper_param_ = 0;
    std::optional<PrioritySet> remote_param_;
};

}  // namespace sluice::dcbx
