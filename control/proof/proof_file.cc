#include "control/proof/proof_file.h"

#include <fmt/format.h>

#include <utility>

namespace sluice::control {

namespace {

StateFile file_of(const config::ControlConfig& control) {
    return StateFile::of(control, "proofs", longest_proofs);
}

std::optional<Proofs> proofs_in(const StateFile::Content& content) {
    const bool readable = content.is_there && content.unreadable.empty() && content.refused.empty();
    return readable ? Proofs::read(content.text) : std::nullopt;
}

std::string explained(const std::string& failed) {
    if (failed.empty()) return {};
    return failed +
           ", so proven capabilities are forgotten at the end; make control.state a folder of "
           "sluiced's";
}

}  // namespace

ProofFile ProofFile::open(const config::ControlConfig& control) {
    ProofFile opened;
    opened.writer_ = std::make_shared<StateWriter>(file_of(control));
    StateFile& file = opened.writer_->file();
    if (std::string another = file.claim(); !another.empty()) {
        opened.notices_.push_back(std::move(another) +
                                  ", so capabilities proven from now on are forgotten at the end; "
                                  "give each switch its own control.state");
        opened.proofs_ = peek(control);
        return opened;
    }
    const StateFile::Content content = file.read();
    std::optional<Proofs> found = proofs_in(content);
    if (found) {
        opened.proofs_ = std::move(*found);
    } else if (!content.unreadable.empty()) {
        opened.notices_.push_back(
            fmt::format("{}: cannot be read ({}), so no capability is proven by it", content.path,
                        content.unreadable));
    } else if (content.is_there) {
        opened.notices_.push_back(
            fmt::format("{}: {}, so no capability is proven by it; {}; `sluice doctor --cable A B` "
                        "tests ports again",
                        content.path, content.refused.empty() ? "damaged" : content.refused,
                        StateFile::set_aside(content, "damaged")));
    }
    return opened;
}

Proofs ProofFile::peek(const config::ControlConfig& control) {
    return proofs_in(file_of(control).read()).value_or(Proofs());
}

ProofFile::Keeping ProofFile::add(const Circumstances& circumstances, const Seen& seen) {
    if (!proofs_.add(circumstances, seen) || !writer_) return {};
    has_news_ = true;
    return [writer = writer_, text = proofs_.text()] { return explained(writer->write(text)); };
}

std::string ProofFile::keep_last() {
    return has_news_ ? explained(writer_->write_last(proofs_.text())) : std::string();
}

}  // namespace sluice::control
