// Error: why something failed, as a value, written for the operator. `key` names the subject in the
// operator's terms (a port, a key of the file); the text says what is wrong and what would be
// right, down to the command.
#pragma once

#include <string>

namespace sluice::pmd {

struct Error {
    std::string key;     // the port, option or device it is about
    std::string what;    // what is wrong
    std::string remedy;  // what would be right

    [[nodiscard]] std::string text() const { return key + ": " + what + "; " + remedy; }
};

}  // namespace sluice::pmd
