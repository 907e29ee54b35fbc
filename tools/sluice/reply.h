// Reply: parses the line that answers a request (control/README.md), without trusting its sender.
//
// Bound: values nested deeper than 32 levels are dropped, since code that visits a reply, such as
// printing, recurses as deep. Texts are escaped when they are printed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "tools/common/table.h"

namespace sluice::cli {

// Lines for the user, and the exit status: 1 for a failure, 2 for wrong input.
struct Failure {
    int status = 1;
    std::vector<std::string> lines;
};

// Prints the lines on standard error, without control characters. Returns the exit status.
int print_failure(const Failure& failure);

// Returns the `result` or the `errors` of a reply; none if the line is not a reply.
std::optional<tl::expected<Json, Failure>> read_reply(std::string_view line);

}  // namespace sluice::cli
