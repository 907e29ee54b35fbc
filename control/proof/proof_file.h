// Proof file: what was proved (proofs.h), in `proofs.json` of the state folder, so that it outlasts
// a restart.
//
// Read and written as state/state_file.h does. One that is damaged or refused there is set aside as
// `proofs.json.damaged` and reported, and nothing is proved.
// Bound: proofs.h.
#pragma once

#include <string>
#include <vector>

#include "control/proof/proofs.h"

namespace sluice::control {

class ProofFile {
  public:
    ProofFile() = default;  // kept nowhere
    static ProofFile open(const std::string& folder);
    // What is proved by the one there, which stays as it is.
    static Proofs peek(const std::string& folder);

    // What an operator should know of what was read; a line each.
    [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }
    [[nodiscard]] const Proofs& proofs() const { return proofs_; }
    // Empty: it is kept, or was known. Else why it is not kept; it is known all the same.
    std::string add(const Circumstances& circumstances, const Seen& seen);

  private:
    std::string folder_;
    Proofs proofs_;
    std::vector<std::string> notices_;
};

}  // namespace sluice::control
