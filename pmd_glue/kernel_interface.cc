#include "pmd_glue/kernel_interface.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "pmd_glue/interface_query.h"

namespace sluice::pmd {
namespace {

struct Offload {
    const char* name;  // as ethtool names it
    uint32_t get;
    uint32_t set;
};
constexpr std::array offloads = {
    Offload{"rx", ETHTOOL_GRXCSUM, ETHTOOL_SRXCSUM},
    Offload{"tx", ETHTOOL_GTXCSUM, ETHTOOL_STXCSUM},
    Offload{"tso", ETHTOOL_GTSO, ETHTOOL_STSO},
    Offload{"gso", ETHTOOL_GGSO, ETHTOOL_SGSO},
    Offload{"gro", ETHTOOL_GGRO, ETHTOOL_SGRO},
};

// A device may lack an offload, and may refuse to switch it off. Only the state afterwards is
// checked, so a missing offload counts as off.
void switch_offloads_off(const std::string& name, OffloadsOff which,
                         std::vector<std::string>& failures) {
    InterfaceQuery query(name);
    const auto complain = [&](const char* what) {
        failures.push_back(name + ": offload " + what + " stays on; try `ethtool -K " + name + " " +
                           what + " off`");
    };
    const bool all = which == OffloadsOff::all;
    for (const Offload& offload : offloads) {
        if (!all) break;
        ethtool_value value{offload.set, 0};
        query.ask_ethtool(&value);
        value = {offload.get, 0};
        if (query.ask_ethtool(&value) && value.data != 0) complain(offload.name);
    }
    ethtool_value flags{ETHTOOL_GFLAGS, 0};
    if (!query.ask_ethtool(&flags)) return;
    const uint32_t tags = all ? ETH_FLAG_RXVLAN | ETH_FLAG_TXVLAN : 0;
    ethtool_value wanted{ETHTOOL_SFLAGS, flags.data & ~tags & ~uint32_t{ETH_FLAG_LRO}};
    query.ask_ethtool(&wanted);
    flags = {ETHTOOL_GFLAGS, 0};
    query.ask_ethtool(&flags);
    if ((flags.data & tags & ETH_FLAG_RXVLAN) != 0) complain("rxvlan");
    if ((flags.data & tags & ETH_FLAG_TXVLAN) != 0) complain("txvlan");
    if ((flags.data & ETH_FLAG_LRO) != 0) complain("lro");
}

}  // namespace

InterfaceState interface_state(const std::string& name) {
    InterfaceState state;
    state.index = ::if_nametoindex(name.c_str());
    if (state.index == 0) return state;
    InterfaceQuery query(name);
    constexpr int running = IFF_UP | IFF_RUNNING;
    state.up = query.ask(SIOCGIFFLAGS) && (query.request().ifr_flags & running) == running;
    // The kernel reports a new interface as running until the kernel has checked the carrier.
    ethtool_value carrier{ETHTOOL_GLINK, 0};
    if (state.up && query.ask_ethtool(&carrier)) state.up = carrier.data != 0;
    ethtool_cmd settings{};
    settings.cmd = ETHTOOL_GSET;
    if (query.ask_ethtool(&settings)) {
        const uint32_t megabits = ethtool_cmd_speed(&settings);
        if (megabits != 0 && megabits != static_cast<uint32_t>(SPEED_UNKNOWN)) {
            state.speed = BitsPerSecond(int64_t{megabits} * 1'000'000);
        }
    }
    return state;
}

std::vector<std::string> prepare_kernel_interface(const std::string& name, bool is_shared,
                                                  OffloadsOff which) {
    std::vector<std::string> failures;
    switch_offloads_off(name, which, failures);
    const std::string setting = "/proc/sys/net/ipv6/conf/" + name + "/disable_ipv6";
    // The file is missing if the kernel has no IPv6; then nothing has to be disabled.
    if (!is_shared && std::ifstream(setting) && !(std::ofstream(setting) << 1 << std::flush)) {
        failures.push_back(name + ": the host's IPv6 stays on it; try `sysctl net.ipv6.conf." +
                           name + ".disable_ipv6=1`");
    }
    if (const auto error = set_interface_up(name, true)) {
        failures.push_back(error->key + ": " + error->what + "; " + error->remedy);
    }
    return failures;
}

std::optional<Error> set_interface_up(const std::string& name, bool up) {
    InterfaceQuery query(name);
    if (query.ask(SIOCGIFFLAGS)) {
        short& flags = query.request().ifr_flags;
        if (((flags & IFF_UP) != 0) == up) return std::nullopt;
        flags = static_cast<short>(flags ^ IFF_UP);
        if (query.ask(SIOCSIFFLAGS)) return std::nullopt;
    }
    const std::string word = up ? "up" : "down";
    return Error{name, "cannot be set " + word, "try `ip link set " + name + " " + word + "`"};
}

std::optional<Error> set_interface_mtu(const std::string& name, uint16_t mtu) {
    InterfaceQuery query(name);
    if (query.ask(SIOCGIFMTU) && query.request().ifr_mtu == mtu) return std::nullopt;
    query.request().ifr_mtu = mtu;
    if (query.ask(SIOCSIFMTU)) return std::nullopt;
    return Error{name, "the interface refuses an MTU of " + std::to_string(mtu),
                 "see what it takes with `ip -d link show dev " + name + "` (minmtu, maxmtu)"};
}

std::optional<Error> set_interface_mtu_and_tags(const std::string& name, uint16_t mtu,
                                                std::vector<std::string>& notices) {
    const auto with_tags = static_cast<uint16_t>(mtu + 2 * 4);
    if (!set_interface_mtu(name, with_tags)) return std::nullopt;
    if (auto error = set_interface_mtu(name, mtu)) return error;
    notices.push_back(name + ": refuses an MTU of " + std::to_string(with_tags) +
                      ", so the kernel drops the longest of its frames that have tags");
    return std::nullopt;
}

std::optional<Error> check_interface_exists(const std::string& key, const std::string& name) {
    if (::if_nametoindex(name.c_str()) != 0) return std::nullopt;
    return Error{key, "there is no network interface `" + name + "`",
                 "see what there is with `ip link show`, or make a pair of virtual ones with "
                 "`ip link add " +
                     name + " type veth peer name " + name.substr(0, 10) + "-peer`"};
}

std::optional<Error> check_receive_queues(const std::string& key, const std::string& name,
                                          unsigned wanted) {
    ethtool_channels channels{};
    channels.cmd = ETHTOOL_GCHANNELS;
    const bool known = InterfaceQuery(name).ask_ethtool(&channels);
    // On an interface without combined queues (veth) the driver opens one queue.
    const bool combined = known && channels.max_combined > 0;
    // An interface without ethtool's channels counts as having one queue: most such interfaces have
    // one.
    const unsigned has = known ? std::max(channels.combined_count + channels.rx_count, 1U) : 1;
    if (has == wanted && (combined || wanted == 1)) return std::nullopt;
    std::string remedy = "give it as many with `ethtool -L " + name +
                         (combined ? " combined " : " rx ") +
                         std::to_string(combined ? wanted : 1) + "`";
    if (combined && has > wanted) {
        remedy += ", or open them all with `queues=" + std::to_string(has) + "`";
    } else if (!combined && wanted > 1) {
        remedy = "an interface of its kind has one queue for XDP: leave `queues` out";
    }
    return Error{key,
                 name + " has " + std::to_string(has) + " receive queues and the port opens " +
                     std::to_string(wanted),
                 std::move(remedy)};
}

std::optional<Error> check_capability(const std::string& key, Capability capability) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (!line.starts_with("CapEff:")) continue;
        const uint64_t held = std::stoull(line.substr(7), nullptr, 16);
        if ((held >> static_cast<unsigned>(capability) & 1) != 0) return std::nullopt;
        const std::string name =
            capability == Capability::net_raw ? "CAP_NET_RAW" : "CAP_NET_ADMIN";
        return Error{key, name + " is missing",
                     "run as root, or give the program the capability with `setcap "
                     "cap_net_raw,cap_net_admin,cap_bpf,cap_ipc_lock+ep`"};
    }
    return std::nullopt;
}

}  // namespace sluice::pmd
