#include "pmd_glue/packet/kept_out.h"

#include <fstream>

namespace sluice::pmd::packet {
namespace {

// Sets a setting of the kernel. If the file is missing, the kernel lacks the protocol, and there is
// nothing to keep out.
bool set(const std::string& path, const char* value) {
    std::string was;
    if (!(std::ifstream(path) >> was) || was == value) return true;
    return static_cast<bool>(std::ofstream(path) << value << std::flush);
}

}  // namespace

std::vector<std::string> keep_machine_out(const std::string& interface) {
    const std::string settings = "/proc/sys/net/";
    std::vector<std::string> notices;
    if (!set(settings + "ipv4/conf/" + interface + "/arp_ignore", "8")) {
        notices.push_back(
            "the machine answers ARP for its own addresses there; try `sysctl net.ipv4.conf." +
            interface + ".arp_ignore=8`");
    }
    if (!set(settings + "ipv6/conf/" + interface + "/disable_ipv6", "1")) {
        notices.push_back("the host's IPv6 stays on it; try `sysctl net.ipv6.conf." + interface +
                          ".disable_ipv6=1`");
    }
    return notices;
}

}  // namespace sluice::pmd::packet
