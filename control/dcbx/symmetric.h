// Symmetric: the state machine of a parameter that should be the same at both ends, such as which
// priorities have PFC.
//
// The state is `init`, and `oper_param` is `local_admin_param`, unless the port is willing and its
// peer is not. In that case the state is `rx_recommended`, and `oper_param` is `remote_param`. The
// state returns to `init` as soon as either condition ends, or if the peer no longer sends the
// parameter (NULL). The dialect decides what happens if both ends are willing, or neither. With
// CEE's rule two values that are not compatible are an `error`, and so is a peer that sends CEE
// without this feature. In an error `oper_param` stays local: CEE would turn the feature off, but a
// port that is not willing must not lose frames because of its peer. A feature that is turned off
// at either end (CEE's Enable) is no error, and a peer that reports an error is not followed;
// `oper_param` stays local in both cases.
//
// Refusal. If a willing port cannot apply the value that its peer requests, it keeps its own value
// and advertises that it is not willing, to inform the peer. If the peer is willing too, the port
// continues to advertise that it is willing: otherwise the peer would follow this port, and later
// requests of the peer would be ignored. With CEE's rule a refusal puts both ends in error. While
// the refusal lasts, the peer's error does not end the peer's request; otherwise the two ends would
// undo each other's state for ever. When the refusal ends, the port advertises again that it is
// willing, and follows once the peer is not in error.
// Bound: the state follows from the variables alone, so the order of events does not matter.
// Follows 0409v3, "symmetric parameter passing" (names of the variables, Pending); 802.1Q-2014
// 38.4.2; CEE 1.01 for `error`.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>

#include "control/dcbx/mismatch.h"
#include "control/dcbx/model.h"
#include "dataplane/types/address.h"

namespace sluice::dcbx {

enum class EqualWilling : uint8_t {
    keep_local,                 // 0409v3
    lower_address_takes_peers,  // IEEE, if both ends are willing
    error_unless_compatible,    // CEE, if both ends are willing or neither is
};

// Of two willing ports, the one with the lower address takes the other's parameter.
constexpr bool takes_peers(MacAddress own, MacAddress peer) { return own < peer; }

// Properties of the peer, apart from its parameter.
struct Peer {
    bool speaks = false;       // the peer sends this port's dialect, which has the parameter
    bool precedes_us = false;  // if both ends are willing, this port takes the peer's parameter
};

template <class Parameter>
class Symmetric {
  public:
    enum class State : uint8_t { init, rx_recommended, error };
    using Compatible = bool (*)(const Parameter&, const Parameter&);

    Symmetric(EqualWilling rule, Compatible compatible) : rule_(rule), compatible_(compatible) {}

    void set_local(Parameter local_admin_param, bool local_willing, bool local_enabled = true) {
        local_admin_param_ = std::move(local_admin_param);
        local_willing_ = local_willing;
        local_enabled_ = local_enabled;
        run();
    }
    // `refused`: this port cannot apply the value that the peer requests (`asked`).
    void refuse(bool refused) {
        refused_ = refused;
        run();
    }
    void receive(const std::optional<Offered<Parameter>>& remote, Peer peer) {
        remote_param_.reset();
        remote_willing_.reset();
        if (remote) {
            remote_param_ = remote->parameter;
            remote_willing_ = remote->willing;
            remote_enabled_ = remote->enabled;
            remote_error_ = remote->error;
        }
        peer_ = peer;
        run();
    }

    [[nodiscard]] State state() const { return state_; }
    // Whether the port advertises that it is willing.
    [[nodiscard]] bool local_willing() const {
        return local_willing_ && (!refused_ || remote_willing_.value_or(false));
    }
    [[nodiscard]] std::optional<bool> remote_willing() const { return remote_willing_; }
    // Returns the value that the peer requests of this port, followed or refused; empty if the port
    // is not to follow the peer.
    [[nodiscard]] std::optional<Parameter> asked() const {
        if (!remote_param_ || !local_willing_ || off()) return std::nullopt;
        const bool follows = *remote_willing_ ? loses_tie() : !remote_error_ || refused_;
        return follows ? remote_param_ : std::nullopt;
    }
    [[nodiscard]] const Parameter& oper_param() const { return oper_param_; }
    [[nodiscard]] const std::optional<Parameter>& remote_param() const { return remote_param_; }

    // Whether the parameter of either end has not reached the other end yet.
    [[nodiscard]] bool pending() const {
        if (!remote_param_) return true;
        return !local_willing_ && *remote_willing_ && oper_param_ != *remote_param_;
    }
    [[nodiscard]] bool error() const { return state_ == State::error; }
    // Returns empty if the ends fit, or if one end is about to follow the other.
    [[nodiscard]] std::optional<Mismatch> mismatch() const {
        if (error()) return remote_param_ ? Mismatch::differs : Mismatch::missing;
        if (!remote_param_ || off()) return std::nullopt;
        // A peer reports an error about any feature that this port does not advertise.
        if (remote_error_ && peer_.speaks) return Mismatch::peer_error;
        const bool fits = rule_ == EqualWilling::error_unless_compatible ||
                          compatible_(oper_param_, *remote_param_) || peer_takes_ours();
        return fits ? std::nullopt : std::optional(Mismatch::differs);
    }

  private:
    [[nodiscard]] bool off() const { return !local_enabled_ || !remote_enabled_; }
    [[nodiscard]] bool equally_willing() const { return local_willing() == *remote_willing_; }
    [[nodiscard]] bool breaks_ties() const {
        return rule_ == EqualWilling::lower_address_takes_peers;
    }
    [[nodiscard]] bool loses_tie() const { return breaks_ties() && peer_.precedes_us; }
    [[nodiscard]] bool peer_takes_ours() const {
        if (!equally_willing()) return *remote_willing_;
        return *remote_willing_ && breaks_ties() && !peer_.precedes_us;
    }
    [[nodiscard]] State next() const {
        const bool may_fail = rule_ == EqualWilling::error_unless_compatible && peer_.speaks;
        if (!remote_param_) return may_fail ? State::error : State::init;
        if (off()) return State::init;
        if (!refused_ && asked()) return State::rx_recommended;
        if (!equally_willing()) return State::init;
        if (may_fail && !compatible_(local_admin_param_, *remote_param_)) return State::error;
        return State::init;
    }
    void run() {
        assert(remote_param_.has_value() == remote_willing_.has_value());
        state_ = next();
        assert(state_ != State::rx_recommended || (remote_param_ && local_willing_));
        oper_param_ = state_ == State::rx_recommended ? *remote_param_ : local_admin_param_;
    }

    EqualWilling rule_;
    Compatible compatible_;
    State state_ = State::init;
    Peer peer_;
    bool local_willing_ = false;
    bool local_enabled_ = true;
    bool refused_ = false;
    bool remote_enabled_ = true;  // sent with `remote_param_`, as is `remote_error_`
    bool remote_error_ = false;
    std::optional<bool> remote_willing_;
    Parameter oper_param_ = {};
    std::optional<Parameter> remote_param_;
    Parameter local_admin_param_ = {};
};

}  // namespace sluice::dcbx
