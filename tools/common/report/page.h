// Page: the report's page, as `embed` assembles it in the build: the parts before and after the
// data; and the version of Sluice.
#pragma once

#include <string_view>

namespace sluice::cli::report {

extern const std::string_view version;
extern const std::string_view before_data;
extern const std::string_view after_data;

}  // namespace sluice::cli::report
