// Finding: the result of one check: the subject, its state, why it matters, and the command that
// fixes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::cli {

enum class Verdict : uint8_t { good, warn, bad };  // warn: works, but not as well as possible

constexpr std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::good:
            return "good";
        case Verdict::warn:
            return "warn";
        default:
            return "bad";
    }
}

// A harmless fix: writes a text into a file, which writing the old text back undoes, or removes a
// leftover. Paths are below the examined root.
struct Fix {
    std::string file;
    std::string text;  // empty: the file, or an empty folder, is removed
};

struct Finding {
    std::string name;  // `huge_pages`, `mtu p0`
    Verdict verdict = Verdict::good;
    std::string what;
    std::string command = {};  // empty if the verdict is good
    std::vector<Fix> fixes = {};
};

using Findings = std::vector<Finding>;

}  // namespace sluice::cli
