// Disguise: a kernel interface that reports to ethtool that its driver is ice, and that its
// firmware has an LLDP agent, on until it is stopped. What else is asked of it the kernel answers.
//
// Preloaded into a program: SLUICE_DISGUISED names the interface.
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

constexpr uint64_t private_flags = uint64_t{1} << ETH_SS_PRIV_FLAGS;
uint32_t agent = 1;  // its flag

bool is_disguised(const ifreq& request) {
    const char* const name = std::getenv("SLUICE_DISGUISED");
    return name != nullptr && std::string_view(request.ifr_name) == name;
}

// Answers a question here if it can. True: it was answered.
bool answer(void* question) {
    switch (*static_cast<const uint32_t*>(question)) {
        case ETHTOOL_GDRVINFO: {
            auto& about = *static_cast<ethtool_drvinfo*>(question);
            std::snprintf(about.driver, sizeof about.driver, "ice");
            return true;
        }
        case ETHTOOL_GSSET_INFO: {
            auto& info = *static_cast<ethtool_sset_info*>(question);
            if (info.sset_mask != private_flags) return false;
            info.data[0] = 1;
            return true;
        }
        case ETHTOOL_GSTRINGS: {
            auto& names = *static_cast<ethtool_gstrings*>(question);
            if (names.string_set != ETH_SS_PRIV_FLAGS) return false;
            std::snprintf(reinterpret_cast<char*>(names.data), ETH_GSTRING_LEN, "fw-lldp-agent");
            names.len = 1;
            return true;
        }
        case ETHTOOL_GPFLAGS:
            static_cast<ethtool_value*>(question)->data = agent;
            return true;
        case ETHTOOL_SPFLAGS:
            agent = static_cast<const ethtool_value*>(question)->data;
            return true;
        default:
            return false;
    }
}

}  // namespace

extern "C" int ioctl(int file, unsigned long what, ...) {
    va_list more;
    va_start(more, what);
    void* const argument = va_arg(more, void*);
    va_end(more);
    if (what == SIOCETHTOOL) {
        const auto& request = *static_cast<const ifreq*>(argument);
        if (is_disguised(request) && answer(request.ifr_data)) return 0;
    }
    return static_cast<int>(::syscall(SYS_ioctl, file, what, argument));
}
