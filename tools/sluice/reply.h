// Reply: parses the line that answers a request (control/README.md), without trusting its sender.
//
// Bound: nesting deeper than 32 levels is left out, since code that walks through it, such as
// printing, recurses as deep. Texts are escaped where they are printed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "tools/common/table.h"

namespace sluice::cli {

// Lines for the user, and the exit status: 1 it failed, 2 the input was wrong.
struct Failure {
    int status = 1;
    std::vector<std::string> lines;
};

// Prints the lines on standard error, without control characters. Returns the exit status.
int print_failure(const Failure& failure);

// The `result`, or the `errors`. None: the line is no reply.
std::optional<tl::expected<Json, Failure>> read_reply(std::string_view line);

}  // namespace sluice::cli
