#include "pmd_glue/memory_limit.h"

#include <sys/resource.h>
#include <array>
#include <string_view>

namespace sluice::pmd {
namespace {

struct Limit {
    __rlimit_resource resource;
    std::string_view of;
    std::string_view word;     // option of ulimit
    std::string_view setting;  // setting of a systemd unit
};
constexpr std::array limits = {
    Limit{RLIMIT_AS, "addresses of this process (RLIMIT_AS)", "-v", "LimitAS"},
    Limit{RLIMIT_DATA, "memory of this process (RLIMIT_DATA)", "-d", "LimitDATA"},
};

}  // namespace

std::string remedy_for_memory_limit() {
    constexpr rlim_t mebibyte = 1024 * 1024;
    std::string text;
    for (const Limit& limit : limits) {
        rlimit set{};
        if (::getrlimit(limit.resource, &set) != 0 || set.rlim_cur == RLIM_INFINITY) continue;
        if (!text.empty()) text += "; ";
        text.append("a limit of ").append(std::to_string(set.rlim_cur / mebibyte));
        text.append(" MiB is set for ").append(limit.of);
        text.append(": lift it with `ulimit ").append(limit.word).append(" unlimited` (");
        text.append(limit.setting).append("=infinity in a systemd unit)");
    }
    return text;
}

}  // namespace sluice::pmd
