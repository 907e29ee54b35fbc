// What a fuzz target promises, in a release build as well, and what every reader of files has to
// give: faults of one line each, with a place, what is wrong and what would be right.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "config/yaml/fault.h"

namespace sluice::test {

inline void must(bool holds, const char* promise) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", promise);
    std::abort();
}

inline void check_faults(const std::vector<config::Fault>& faults) {
    must(!faults.empty(), "what is refused has a fault");
    for (const config::Fault& fault : faults) {
        const std::string line = to_string(fault);
        must(line.find_first_of(std::string("\0\n\r\x1B", 4)) == std::string::npos,
             "a fault is a line");
        must(fault.at.line >= 1 && fault.at.column >= 1, "it has a place");
        must(!fault.path.empty() && !fault.what.empty() && !fault.remedy.empty(), "it says all");
    }
}

}  // namespace sluice::test
