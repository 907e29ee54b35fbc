// Informational: the machine of what is only told: the number of traffic classes, say. Nothing
// follows from it by itself.
//
// `remote_param` is what the last frame said, NULL without a frame or if it did not. Bound: one
// value. Follows 0409v3, "informational passing".
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
