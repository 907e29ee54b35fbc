// Proof file: keeps the proofs (proofs.h) in `proofs.json` of the state folder, so that they
// survive a restart.
//
// state/state_file.h names, reads and writes the file. A damaged or refused file is renamed to
// `proofs.json.damaged` and reported, and nothing counts as proved. A file that another switch has
// claimed is read but not written.
// Bound: as in proofs.h.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "control/proof/proofs.h"
#include "control/state/state_writer.h"

namespace sluice::control {

class ProofFile {
  public:
    ProofFile() = default;  // keeps proofs in no file
    static ProofFile open(const config::ControlConfig& control);
    // Reads the proofs of an existing file, which is not changed.
    static Proofs peek(const config::ControlConfig& control);

    // Returns notices about the file for the operator, a line each.
    [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }
    [[nodiscard]] const Proofs& proofs() const { return proofs_; }
    // Adds a proof. Returns a function that writes the file, which waits for the disk and may run
    // on any thread; empty if the proof was known already, or no file is kept. The function returns
    // empty text, or why the file was not written; the proof counts nevertheless.
    using Keeping = std::function<std::string()>;
    Keeping add(const Circumstances& circumstances, const Seen& seen);
    // Writes the proofs a last time, because some functions that `add` returned may not have run.
    // Called when the switch stops.
    std::string keep_last();

  private:
    std::shared_ptr<StateWriter> writer_;
    Proofs proofs_;
    bool has_news_ = false;  // proofs were added
    std::vector<std::string> notices_;
};

}  // namespace sluice::control
