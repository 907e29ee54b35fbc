// Secrets: removes secrets from a configuration, so that it may be shown to others: comments, which
// may contain any text, and the values of keys whose name contains `token`, `secret`, `password`,
// `passphrase`, `community` or `private`.
//
// Bound: it works on lines and braces and does not parse YAML, so it also works on invalid files;
// in doubt it removes too much. Names and addresses are kept, as support needs them.
#pragma once

#include <string>
#include <string_view>

namespace sluice::cli {

std::string without_secrets(std::string_view text);

}  // namespace sluice::cli
