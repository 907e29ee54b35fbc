// StartupFile: the file that the daemon was started with, and which texts are known to have been in
// it, so that whoever writes the running configuration to it sees whether it was changed by
// somebody else since.
//
// Known are the text that was last read from it or saved to it, and that of the configuration that
// was last applied as a whole, and stays, which may have been the file as it is now. What goes back
// as nobody confirms it is not: the file may be all that has it.
// Bound: three texts, of 1 MiB each.
// Not done here: reading or writing the file. `sluice save` does, with the rights of who calls it.
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
    // It has just been read. Its path is from the folder that the daemon was started in.
    StartupFile(const std::string& path, std::string text) : holds_(std::move(text)) {
        std::error_code failed;
        const auto whole = std::filesystem::absolute(path, failed);
        path_ = failed ? path : whole.lexically_normal().string();
    }

    // It was read again, or saved.
    void holds(std::string text) { holds_ = std::move(text); }
    // A whole configuration, from that file or another; known once it stays.
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
    std::string applied_;   // empty: none was
    std::string on_trial_;  // likewise
};

}  // namespace sluice::control
