// Secrets: a configuration that may be shown to others. What a key holds whose name has one of the
// words `token`, `secret`, `password`, `passphrase`, `community` or `private` in it is left out,
// and so are comments, which may hold anything.
//
// Bound: goes by lines and braces and reads no YAML, so that it holds for a file that is wrong; it
// rather leaves out too much. Names and addresses stay: without them nobody can help.
#pragma once

#include <string>
#include <string_view>

namespace sluice::cli {

std::string without_secrets(std::string_view text);

}  // namespace sluice::cli
