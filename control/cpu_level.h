// CpuLevel: the level of x86-64 for which a program is built (those of the psABI: -v2 has SSE4.2,
// -v3 AVX2, -v4 AVX-512), and the switch to the program for the best level of this CPU.
//
// A package has to run on every CPU of its distribution, and the frame path is faster with the
// instructions of newer CPUs (tools/bench level_cost). So the package has the same program for
// higher levels as well, in ../libexec/sluice/LEVEL/sluiced relative to the installed program. The
// installed program replaces itself by the highest level that the CPU supports, by execve(2): the
// process keeps its id, files, capabilities and systemd's state. Whole programs are built, not
// parts, so that the linker never has to choose between inline functions of two levels.
//
// The installed program does not replace itself if its capabilities come from its file (setcap):
// the other file would not have them.
//
// SLUICE_CPU_LEVEL in the environment selects a level, for example for comparisons. A program of
// this level must be installed, and the CPU must support the level. A program that was built and
// not packaged has no other levels.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace sluice::control {

// Returns the level that the compiler was allowed to use for this program, rounded down.
constexpr std::string_view built_for() {
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512CD__) && \
    defined(__AVX512DQ__) && defined(__AVX512VL__)
    return "x86-64-v4";
#elif defined(__AVX2__) && defined(__BMI2__) && defined(__FMA__)
    return "x86-64-v3";
#elif defined(__SSE4_2__) && defined(__POPCNT__)
    return "x86-64-v2";
#else
    return "x86-64";
#endif
}

// Returns the highest level that this CPU supports, or for which this program was built.
std::string_view best_of_this_cpu();

// Returns the program below `folder` to switch to; empty: none is better. An error describes what
// is wrong with `wanted`, which is a level, or empty for the best.
tl::expected<std::optional<std::filesystem::path>, std::string> better_build(
    const std::filesystem::path& folder, std::string_view wanted,
    const std::function<bool(std::string_view level)>& cpu_has);

// Replaces this program by the program that `better_build` returns, with these arguments. Returns
// empty if no other program is better, or the reason why the requested level is not run. Called
// first in main.
std::optional<std::string> become_better_build(char** arguments);

}  // namespace sluice::control
