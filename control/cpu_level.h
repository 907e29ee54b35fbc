// CpuLevel: for which level of x86-64 a program is built (those of the psABI: -v2 has SSE4.2, -v3
// AVX2, -v4 AVX-512), and the change to the one that fits this CPU.
//
// A package has to run on every CPU of its distribution, and the frame path gains from what newer
// ones have (tools/bench level_cost). So it brings the same program again for higher levels, in
// ../libexec/sluice/LEVEL/sluiced of the folder where the installed one lies, and that one becomes
// the highest that the CPU knows: by execve(2), so it stays the same process, with its files, its
// capabilities and what systemd knows of it. The whole program and not a part of it, so that none
// of its inline functions is there for two levels and the linker has nothing to choose.
//
// Not where it has its capabilities by its own file (setcap), as another file would not have them.
//
// SLUICE_CPU_LEVEL in the environment names another to run, such as to compare: one that is there
// and that the CPU has. A program that was built here and not packaged has none beside it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace sluice::control {

// What the compiler was allowed to use here. At most the level that holds it whole.
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

// The highest level that this CPU has, or that this was built for.
std::string_view best_of_this_cpu();

// Of the programs for levels below `folder`: the one to become. Nothing: to stay. Or, what is wrong
// with `wanted`, which is a level, or empty for the best.
tl::expected<std::optional<std::filesystem::path>, std::string> better_build(
    const std::filesystem::path& folder, std::string_view wanted,
    const std::function<bool(std::string_view level)>& cpu_has);

// Becomes it, with these arguments; returns only where there is none to become, or with a reason
// why the one that was wanted is not run. By main, before anything else.
std::optional<std::string> become_better_build(char** arguments);

}  // namespace sluice::control
