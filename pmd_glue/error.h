// Error: why something could not be done, as a value. Written for the person at the keyboard: whose
// fault it is in their words (`key`), what is wrong, and what would be right, down to the command.
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
