#include "pmd_glue/packet/kept_out.h"

#include <fstream>
#include <utility>

namespace sluice::pmd::packet {

KeptOut::KeptOut(const std::string& interface) {
    const std::string settings = "/proc/sys/net/";
    set(settings + "ipv4/conf/" + interface + "/arp_ignore", "8",
        "the machine answers ARP for its own addresses there; try `sysctl net.ipv4.conf." +
            interface + ".arp_ignore=8`");
    set(settings + "ipv6/conf/" + interface + "/disable_ipv6", "1",
        "the host's IPv6 stays on it; try `sysctl net.ipv6.conf." + interface + ".disable_ipv6=1`");
}

// No such file where the kernel has no such protocol: nothing to keep out.
void KeptOut::set(const std::string& path, const char* value, const std::string& notice) {
    std::string was;
    if (!(std::ifstream(path) >> was) || was == value) return;
    if (std::ofstream(path) << value << std::flush) {
        before_.push_back({path, std::move(was)});
    } else {
        notices_.push_back(notice);
    }
}

KeptOut& KeptOut::operator=(KeptOut&& other) noexcept {
    set_back();
    before_ = std::exchange(other.before_, {});
    notices_ = std::move(other.notices_);
    return *this;
}

void KeptOut::set_back() {
    for (; !before_.empty(); before_.pop_back()) {
        std::ofstream(before_.back().path) << before_.back().value << std::flush;
    }
}

}  // namespace sluice::pmd::packet
