// Version: returns the release of Sluice, and what it was built with.
//
// The number is written once, in the project's meson.build; version.cc is generated from it and
// from git's commit (`commit`). Programs print both for --version; `sluice show version` and the
// metric sluice_build_info show everything; tools/package names the Debian package by the number.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

// Returns the release, such as 0.2.0 (semver.org).
std::string_view version();
// Returns the commit of the sources, such as `ad5a2b11`, or `ad5a2b11+` if they were changed since;
// else `unknown`.
std::string_view commit();
// Returns name and version of the compiler, such as `gcc 12.2.0`.
std::string_view compiler();

// Returns the text of --version: `sluiced 0.2.0 (commit ad5a2b11)`.
inline std::string version_of(std::string_view program) {
    return std::string(program) + ' ' + std::string(version()) + " (commit " +
           std::string(commit()) + ')';
}

}  // namespace sluice
