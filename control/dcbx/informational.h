// Informational: the state machine of a parameter that is sent and received but not negotiated,
// such as the number of traffic classes.
//
// `remote_param` is the value in the last frame; NULL if there was no frame, or no value in it.
// Bound: one value.
// Follows 0409v3, "informational passing".
#pragma once

#include <optional>

namespace sluice::dcbx {

template <class Parameter>
class Informational {
  public:
    void receive(const std::optional<Parameter>& remote) { remote_param_ = remote; }

    [[nodiscard]] const std::optional<Parameter>& remote_param() const { return remote_param_; }
    [[nodiscard]] bool pending() const { return !remote_param_; }

  private:
    std::optional<Parameter> remote_param_;
};

}  // namespace sluice::dcbx
