#include "tools/sluice/doctor/far_end.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <set>
#include <sstream>
#include <thread>

#include "tools/sluice/doctor/namespace_id.h"

namespace sluice::cli {

namespace {

// --- addresses -----------------------------------------------------------------------------------

bool is_set(const std::vector<uint8_t>& octets, std::size_t bit) {
    return (octets[bit / 8] >> (7 - bit % 8) & 1) != 0;
}

std::vector<uint8_t> octets_of(const sockaddr* address) {
    const bool is_ipv4 = address->sa_family == AF_INET;
    const void* const from =
        is_ipv4 ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address)->sin_addr)
                : &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
    std::vector<uint8_t> octets(is_ipv4 ? 4 : 16);
    std::memcpy(octets.data(), from, octets.size());
    return octets;
}

// Whether an address is loopback or link-local, which many machines have.
bool is_everybodys(const std::vector<uint8_t>& octets) {
    if (octets.size() == 4) return octets[0] == 127 || (octets[0] == 169 && octets[1] == 254);
    const bool is_loopback = octets.back() == 1 && std::ranges::count(octets, 0) == 15;
    return is_loopback || (octets[0] == 0xFE && (octets[1] & 0xC0) == 0x80);
}

std::string text_of(const std::vector<uint8_t>& octets) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    inet_ntop(octets.size() == 4 ? AF_INET : AF_INET6, octets.data(), text.data(), text.size());
    return text.data();
}

// Returns the addresses in the network namespace of this thread.
std::vector<Address> addresses_here() {
    std::vector<Address> found;
    ifaddrs* all = nullptr;
    if (getifaddrs(&all) != 0) return found;
    for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
        const sockaddr* const address = each->ifa_addr;
        if (address == nullptr || each->ifa_netmask == nullptr) continue;
        if (address->sa_family != AF_INET && address->sa_family != AF_INET6) continue;
        Address one{.interface = each->ifa_name, .text = {}, .octets = octets_of(address)};
        if (is_everybodys(one.octets)) continue;
        one.text = text_of(one.octets);
        for (const uint8_t octet : octets_of(each->ifa_netmask)) {
            one.prefix += static_cast<unsigned>(std::popcount(octet));
        }
        found.push_back(std::move(one));
    }
    freeifaddrs(all);
    return found;
}

// Parses `eth0 198.51.100.2/24`.
std::optional<Address> address_in(const std::string& line) {
    std::istringstream words(line);
    Address address;
    std::getline(words >> address.interface >> std::ws, address.text, '/');
    if (!(words >> address.prefix)) return std::nullopt;
    const int family = address.text.find(':') == address.text.npos ? AF_INET : AF_INET6;
    address.octets.resize(family == AF_INET ? 4 : 16);
    if (inet_pton(family, address.text.c_str(), address.octets.data()) != 1) return std::nullopt;
    return address;
}

// --- queries of an interface ---------------------------------------------------------------------

class Asking {
  public:
    explicit Asking(const std::string& interface)
        : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
        interface.copy(request_.ifr_name, sizeof request_.ifr_name - 1);
    }
    ~Asking() {
        if (socket_ >= 0) ::close(socket_);
    }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

    bool ask_ethtool(void* command) {
        request_.ifr_data = static_cast<char*>(command);
        return ::ioctl(socket_, SIOCETHTOOL, &request_) == 0;
    }
    uint32_t value(uint32_t what) {
        ethtool_value value{.cmd = what, .data = 0};
        return ask_ethtool(&value) ? value.data : 0;
    }
    int64_t mtu() { return ::ioctl(socket_, SIOCGIFMTU, &request_) == 0 ? request_.ifr_mtu : 0; }
    bool is_veth() {
        ethtool_drvinfo about{};
        about.cmd = ETHTOOL_GDRVINFO;
        return ask_ethtool(&about) && std::string_view(about.driver) == "veth";
    }
    // Returns the interface index of a veth's far end, which is the first of the veth's statistics.
    unsigned far_index() {
        ethtool_drvinfo about{};
        about.cmd = ETHTOOL_GDRVINFO;
        if (!ask_ethtool(&about) || about.n_stats == 0) return 0;
        std::vector<uint64_t> words(about.n_stats + 1);
        static_assert(sizeof(ethtool_stats) == sizeof(uint64_t));
        reinterpret_cast<ethtool_stats*>(words.data())->cmd = ETHTOOL_GSTATS;
        reinterpret_cast<ethtool_stats*>(words.data())->n_stats = about.n_stats;
        return ask_ethtool(words.data()) ? static_cast<unsigned>(words[1]) : 0;
    }

  private:
    int socket_;
    ifreq request_{};
};

// Finds a far end in the namespace of this thread.
std::optional<FarEnd> find_here(unsigned index) {
    std::array<char, IF_NAMESIZE> name{};
    if (if_indextoname(index, name.data()) == nullptr) return std::nullopt;
    Asking asking(name.data());
    FarEnd far{.interface = name.data(), .entering = {}, .mtu = asking.mtu()};
    if (asking.value(ETHTOOL_GTXCSUM) != 0) far.leaves.emplace_back("checksums");
    if (asking.value(ETHTOOL_GTSO) != 0) far.leaves.emplace_back("segments");
    if ((asking.value(ETHTOOL_GFLAGS) & ETH_FLAG_TXVLAN) != 0) far.leaves.emplace_back("tags");
    far.addresses = addresses_here();
    return far;
}

// --- namespaces ----------------------------------------------------------------------------------

struct Place {
    std::optional<int32_t> id;  // none: this namespace
    std::string file;
    std::string entering;
};

// Returns this namespace, and those that have an id here.
std::vector<Place> namespaces(const Machine& machine) {
    std::vector<Place> places{{.id = std::nullopt, .file = {}, .entering = {}}};
    std::set<int32_t> known;
    const auto add = [&](std::string path, std::string entering) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        const auto id = id_of_namespace(file);
        ::close(file);
        if (!id || !known.insert(*id).second) return;
        places.push_back({.id = id, .file = std::move(path), .entering = std::move(entering)});
    };
    for (const std::string& name : machine.names("/run/netns")) {
        add("/run/netns/" + name, "ip netns exec " + name + " ");
    }
    for (const std::string& process : machine.names("/proc")) {
        if (process.find_first_not_of("0123456789") != process.npos) continue;
        add(fmt::format("/proc/{}/ns/net", process), fmt::format("nsenter -t {} -n ", process));
    }
    return places;
}

bool enter(const std::string& namespace_file) {
    const int file = ::open(namespace_file.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool is_inside = ::setns(file, CLONE_NEWNET) == 0;
    ::close(file);
    return is_inside;
}

// Searches in a thread of its own, since that thread has to enter the other namespace.
std::optional<FarEnd> find_in(const Place& place, unsigned index) {
    std::optional<FarEnd> found;
    std::thread([&] {
        if (place.file.empty() || enter(place.file)) found = find_here(index);
    }).join();
    if (found) found->entering = place.entering;
    return found;
}

// --- machines described by files -----------------------------------------------------------------

std::optional<FarEnd> far_end_in(const std::string& text) {
    FarEnd far;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = std::min(line.find(' '), line.size());
        const std::string word = line.substr(0, space);
        const std::string value = line.substr(std::min(space + 1, line.size()));
        if (word == "interface") far.interface = value;
        if (word == "in") far.entering = "ip netns exec " + value + " ";
        if (word == "mtu") far.mtu = std::atoll(value.c_str());
        if (word == "leaves") far.leaves.push_back(value);
        if (word == "address") {
            if (auto address = address_in(far.interface + " " + value)) {
                far.addresses.push_back(std::move(*address));
            }
        }
    }
    return far.interface.empty() ? std::nullopt : std::optional(std::move(far));
}

}  // namespace

bool is_in_network(const Address& of, const Address& other) {
    if (of.octets.size() != other.octets.size()) return false;
    for (std::size_t bit = 0; bit < of.prefix; ++bit) {
        if (is_set(of.octets, bit) != is_set(other.octets, bit)) return false;
    }
    return true;
}

std::vector<Address> addresses_of(const Machine& machine) {
    if (machine.is_this()) return addresses_here();
    std::vector<Address> found;
    std::istringstream lines(machine.text("/addresses").value_or(""));
    for (std::string line; std::getline(lines, line);) {
        if (auto address = address_in(line)) found.push_back(std::move(*address));
    }
    return found;
}

FarEnds far_ends_of(const Machine& machine, const std::vector<std::string>& interfaces) {
    FarEnds found;
    if (!machine.is_this()) {
        for (const std::string& interface : interfaces) {
            const auto text = machine.text("/far_end/" + interface);
            if (text) found.emplace(interface, far_end_in(*text));
        }
        return found;
    }
    // The query also makes the kernel assign an id to the namespace of the far end; the search
    // below uses it.
    std::map<std::string, std::optional<int32_t>> ids;
    for (const std::string& interface : interfaces) {
        if (!Asking(interface).is_veth()) continue;
        ids.emplace(interface, id_of_far_end(if_nametoindex(interface.c_str())));
    }
    if (ids.empty()) return found;
    const std::vector<Place> places = namespaces(machine);
    for (const auto& [interface, id] : ids) {
        const auto place = std::ranges::find(places, id, &Place::id);
        found.emplace(interface, place == places.end()
                                     ? std::nullopt
                                     : find_in(*place, Asking(interface).far_index()));
    }
    return found;
}

}  // namespace sluice::cli
