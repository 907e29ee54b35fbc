// Asymmetric: the state machine of a parameter that each end sets for itself and recommends to the
// other, such as the shares of bandwidth.
//
// The state is `init`, and `oper_param` is `local_admin_param`, unless the port is willing and has
// a valid recommendation (RV is TRUE). In that case the state is `rx_recommended`, and `oper_param`
// is the recommended value. RV is NULL if the last frame had no recommendation. The peer's own
// configuration (`remote_param`, and whether it is willing) has no influence: it is only shown, and
// compared with the configuration of this end.
// Bound: the state follows from the variables alone, so the order of events does not matter.
// Follows 0409v3, "asymmetric parameter passing"; 802.1Q-2014 38.4.1, which has no RV: every
// recommendation is valid there.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>

#include "control/dcbx/mismatch.h"
#include "control/dcbx/model.h"

namespace sluice::dcbx {

template <class Parameter>
class Asymmetric {
  public:
    enum class State : uint8_t { init, rx_recommended };
    using Compatible = bool (*)(const Parameter&, const Parameter&);

    explicit Asymmetric(Compatible compatible) : compatible_(compatible) {}

    // `recommending`: this port sends a recommendation, which a willing peer will follow.
    void set_local(Parameter local_admin_param, bool local_willing, bool recommending) {
        local_admin_param_ = std::move(local_admin_param);
        local_willing_ = local_willing;
        recommending_ = recommending;
        run();
    }
    // Takes the peer's last frame. The recommendation counts if `rv` is TRUE.
    void receive(const std::optional<Offered<Parameter>>& remote, std::optional<bool> rv,
                 Parameter recommended) {
        remote_param_.reset();
        remote_willing_.reset();
        if (remote) {
            remote_param_ = remote->parameter;
            remote_willing_ = remote->willing;
        }
        rv_ = rv;
        recommended_ = std::move(recommended);
        run();
    }

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] bool local_willing() const { return local_willing_; }
    [[nodiscard]] std::optional<bool> remote_willing() const { return remote_willing_; }
    [[nodiscard]] const Parameter& oper_param() const { return oper_param_; }
    [[nodiscard]] const std::optional<Parameter>& remote_param() const { return remote_param_; }
    [[nodiscard]] std::optional<bool> rv() const { return rv_; }

    // Returns the recommendation in the peer's last frame; empty: there is none, or it is not
    // valid.
    [[nodiscard]] std::optional<Parameter> recommended() const {
        return rv_.value_or(false) ? std::optional(recommended_) : std::nullopt;
    }

    // Whether nothing was received yet, or a willing port still waits for a valid recommendation.
    [[nodiscard]] bool pending() const {
        return !remote_param_ || (local_willing_ && rv_ == std::optional(false));
    }
    // Returns empty if the ends fit, if the peer is about to follow, or if this end uses the peer's
    // recommendation (which is meant to differ from the peer's own values).
    [[nodiscard]] std::optional<Mismatch> mismatch() const {
        const bool peer_takes_ours = recommending_ && remote_willing_.value_or(false);
        const bool fits = !remote_param_ || compatible_(oper_param_, *remote_param_) ||
                          peer_takes_ours || state_ == State::rx_recommended;
        return fits ? std::nullopt : std::optional(Mismatch::differs);
    }

  private:
    void run() {
        assert(remote_param_.has_value() == remote_willing_.has_value());
        const bool recommended = local_willing_ && rv_.value_or(false);
        state_ = recommended ? State::rx_recommended : State::init;
        oper_param_ = recommended ? recommended_ : local_admin_param_;
    }

    Compatible compatible_;
    State state_ = State::init;
    bool local_willing_ = false;
    bool recommending_ = false;
    std::optional<bool> remote_willing_;
    std::optional<bool> rv_;
    Parameter oper_param_ = {};
    Parameter recommended_ = {};
    std::optional<Parameter> remote_param_;
    Parameter local_admin_param_ = {};
};

}  // namespace sluice::dcbx
