#include "tools/sluice/doctor/offloads.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sstream>

namespace sluice::cli {

namespace {

uint32_t ask(int socket, const std::string& interface, uint32_t what) {
    ethtool_value value{.cmd = what, .data = 0};
    ifreq request{};
    interface.copy(request.ifr_name, sizeof request.ifr_name - 1);
    request.ifr_data = reinterpret_cast<char*>(&value);
    return ioctl(socket, SIOCETHTOOL, &request) == 0 ? value.data : 0;
}

}  // namespace

std::vector<std::string> offloads_of(const Machine& machine, const std::string& interface) {
    std::vector<std::string> on;
    if (!machine.is_this()) {
        std::istringstream lines(machine.text("/ethtool/" + interface).value_or(""));
        for (std::string line; std::getline(lines, line);) on.push_back(line);
        return on;
    }
    const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return on;
    const uint32_t flags = ask(socket, interface, ETHTOOL_GFLAGS);
    if (ask(socket, interface, ETHTOOL_GGRO) != 0) on.emplace_back("gro");
    if ((flags & ETH_FLAG_LRO) != 0) on.emplace_back("lro");
    if ((flags & ETH_FLAG_RXVLAN) != 0) on.emplace_back("rxvlan");
    close(socket);
    return on;
}

}  // namespace sluice::cli
