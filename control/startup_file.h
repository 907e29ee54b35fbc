// StartupFile: the file that the daemon was started with, and the texts that it is known to have
// contained. A client that writes the running configuration to the file can thus detect a change by
// others.
//
// Known texts are the text that was last read from the file or saved to it, and the text of the
// configuration that was last applied as a whole and kept, since the operator may have written it
// to the file. A configuration that is rolled back without confirmation is not known: the file may
// be its only copy.
// Bound: three texts, of 1 MiB each.
// Not done here: reading or writing the file. `sluice save` does, with its user's rights.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice::control {

class StartupFile {
  public:
    StartupFile() = default;
    // `text`: the contents of the file, just read. `path` is relative to the folder in which the
    // daemon was started.
    StartupFile(const std::string& path, std::string text) : holds_(std::move(text)) {
        std::error_code failed;
        const auto whole = std::filesystem::absolute(path, failed);
        path_ = failed ? path : whole.lexically_normal().string();
    }

    // Called when the file was read again, or saved.
    void holds(std::string text) { holds_ = std::move(text); }
    // Called when a whole configuration is applied, from that file or another. Its text becomes
    // known when `stays` is called.
    void applied(std::string text) { on_trial_ = std::move(text); }
    void stays() {
        if (!on_trial_.empty()) applied_ = std::exchange(on_trial_, {});
    }
    void goes_back() { on_trial_.clear(); }

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::vector<std::string> known() const {
        if (applied_.empty() || applied_ == holds_) return {holds_};
        return {holds_, applied_};
    }

  private:
    std::string path_;
    std::string holds_;
    std::string applied_;   // empty: none was applied
    std::string on_trial_;  // configuration that waits for confirmation; empty: none
};

}  // namespace sluice::control
