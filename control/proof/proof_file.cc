#include "control/proof/proof_file.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "control/state/state_file.h"

namespace sluice::control {

namespace {

StateFile file_in(const std::string& folder) { return {folder, "proofs.json", longest_proofs}; }

std::optional<Proofs> proofs_in(const StateFile::Content& content) {
    const bool readable = content.is_there && content.unreadable.empty() && content.refused.empty();
    return readable ? Proofs::read(content.text) : std::nullopt;
}

}  // namespace

ProofFile ProofFile::open(const std::string& folder) {
    ProofFile opened;
    opened.folder_ = folder;
    const StateFile file = file_in(folder);
    const StateFile::Content content = file.read();
    std::optional<Proofs> found = proofs_in(content);
    if (found) {
        opened.proofs_ = std::move(*found);
    } else if (!content.unreadable.empty()) {
        opened.notices_.push_back(fmt::format("{}: cannot be read ({}), so nothing is proved by it",
                                              file.path(), content.unreadable));
    } else if (content.is_there) {
        opened.notices_.push_back(fmt::format(
            "{}: {}, so nothing is proved by it; {}; `sluice doctor --cable A B` proves ports anew",
            file.path(), content.refused.empty() ? "damaged" : content.refused,
            file.set_aside("damaged")));
    }
    return opened;
}

Proofs ProofFile::peek(const std::string& folder) {
    return proofs_in(file_in(folder).read()).value_or(Proofs());
}

std::string ProofFile::add(const Circumstances& circumstances, const Seen& seen) {
    if (!proofs_.add(circumstances, seen) || folder_.empty()) return {};
    const std::string failed = file_in(folder_).write(proofs_.text());
    if (failed.empty()) return {};
    return failed +
           ", so what was proved is forgotten at the end; make control.state a folder of "
           "sluiced's";
}

}  // namespace sluice::control
