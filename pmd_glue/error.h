// Error: why something failed, as a value, written for the operator. `key` names the subject in the
// operator's terms (a port, a key of the file); the text states the fault and the remedy, including
// the command.
#pragma once

#include <string>

namespace sluice::pmd {

struct Error {
    std::string key;     // the port, option or device that has the fault
    std::string what;    // the fault
    std::string remedy;  // the remedy

    [[nodiscard]] std::string text() const { return key + ": " + what + "; " + remedy; }
};

}  // namespace sluice::pmd
