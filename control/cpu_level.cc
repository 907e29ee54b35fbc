#include "control/cpu_level.h"

#include <sys/auxv.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace sluice::control {
namespace {

namespace fs = std::filesystem;

struct Level {
    std::string_view name;
    bool (*is_there)();
};

// clang before 18 has no names for levels. It only builds tests, which supply the levels
// themselves.
#if defined(__clang__) && __clang_major__ < 18
#define SLUICE_CPU_HAS(level) false
#else
#define SLUICE_CPU_HAS(level) (__builtin_cpu_supports(level) != 0)
#endif

// The highest level first.
constexpr std::array levels = {
    Level{"x86-64-v4", [] { return SLUICE_CPU_HAS("x86-64-v4"); }},
    Level{"x86-64-v3", [] { return SLUICE_CPU_HAS("x86-64-v3"); }},
    Level{"x86-64-v2", [] { return SLUICE_CPU_HAS("x86-64-v2"); }},
};
#undef SLUICE_CPU_HAS

bool this_cpu_has(std::string_view name) {
    for (const Level& level : levels) {
        if (level.name == name) return level.is_there();
    }
    return false;
}

}  // namespace

std::string_view best_of_this_cpu() {
    for (const Level& level : levels) {
        if (level.name == built_for() || level.is_there()) return level.name;
    }
    return built_for();
}

tl::expected<std::optional<fs::path>, std::string> better_build(
    const fs::path& folder, std::string_view wanted,
    const std::function<bool(std::string_view level)>& cpu_has) {
    if (wanted == built_for()) return std::nullopt;
    std::error_code unknown;
    bool known = false;
    for (const Level& level : levels) {
        known |= level.name == wanted;
        const fs::path program = folder / level.name / "sluiced";
        if (wanted.empty() && level.name == built_for()) return std::nullopt;
        if (!wanted.empty() && level.name != wanted) continue;
        if (cpu_has(level.name) && fs::is_regular_file(program, unknown)) return program;
    }
    if (wanted.empty()) return std::nullopt;
    const std::string named = "SLUICE_CPU_LEVEL=" + std::string(wanted);
    if (!known) {
        std::string text = named + ": there is no such level; use one of";
        for (const Level& level : levels) text += " " + std::string(level.name);
        return tl::unexpected(text);
    }
    if (!cpu_has(wanted)) return tl::unexpected(named + ": this CPU does not support it");
    return tl::unexpected(named + ": there is no " + (folder / wanted / "sluiced").string() +
                          "; this one is built for " + std::string(built_for()));
}

std::optional<std::string> become_better_build(char** arguments) {
    // The file of this program has capabilities (setcap), which the file of another level would
    // lack. So the program is not replaced.
    if (::getauxval(AT_SECURE) != 0) return std::nullopt;
    std::error_code unknown;
    const fs::path own = fs::read_symlink("/proc/self/exe", unknown);
    if (!own.is_absolute()) return std::nullopt;
    const fs::path folder = own.parent_path().parent_path() / "libexec" / "sluice";
    const char* const named = std::getenv("SLUICE_CPU_LEVEL");
    const std::string_view wanted = named == nullptr ? "" : named;
    const auto program = better_build(folder, wanted, this_cpu_has);
    if (!program) return program.error();
    if (!*program) return std::nullopt;
    ::execv((*program)->c_str(), arguments);
    // If the user requested no level, this program continues.
    if (wanted.empty()) return std::nullopt;
    return (*program)->string() + " cannot be run: " + std::strerror(errno);
}

}  // namespace sluice::control
