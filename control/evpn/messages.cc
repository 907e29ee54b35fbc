#include "control/evpn/messages.h"

#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace sluice::control::evpn {

namespace {

// The bits that hold the type of an attribute; the other bits are flags.
constexpr unsigned type_bits = 0x3FFF;

constexpr std::size_t aligned(std::size_t length) { return (length + 3) & ~std::size_t{3}; }

template <class Head>
std::optional<Head> head_of(std::span<const uint8_t> octets) {
    Head head;
    if (octets.size() < sizeof head) return {};
    std::memcpy(&head, octets.data(), sizeof head);
    return head;
}

// Returns the octets after a header of `head` octets, which is padded to the alignment.
std::span<const uint8_t> behind(std::span<const uint8_t> octets, std::size_t head) {
    return octets.subspan(std::min(aligned(head), octets.size()));
}

// Visits messages or attributes. They are stored one after another. Each has a header, whose first
// field is the length of header and contents.
template <class Head, class Length, class Visit>
void for_each_in_row(std::span<const uint8_t> octets, Length Head::*length, Visit visit) {
    while (const auto head = head_of<Head>(octets)) {
        const std::size_t whole = (*head).*length;
        if (whole < sizeof(Head) || whole > octets.size()) return;
        visit(*head, behind(octets.first(whole), sizeof(Head)));
        octets = behind(octets, whole);
    }
}

template <class Visit>
void for_each_attribute(std::span<const uint8_t> octets, Visit visit) {
    for_each_in_row<rtattr>(octets, &rtattr::rta_len,
                            [&](const rtattr& head, std::span<const uint8_t> payload) {
                                visit(head.rta_type & type_bits, payload);
                            });
}

uint32_t number_in(std::span<const uint8_t> payload) {
    return head_of<uint32_t>(payload).value_or(0);
}

std::string text_in(std::span<const uint8_t> payload) {
    const std::string_view text(reinterpret_cast<const char*>(payload.data()), payload.size());
    return std::string(text.substr(0, text.find('\0')));
}

std::optional<Ipv4Address> ipv4_in(std::span<const uint8_t> payload) {
    if (payload.size() != 4) return {};
    return Ipv4Address{read_32(payload.data())};
}

// Reads the age in NDA_CACHEINFO, which counts hundredths of a second (USER_HZ).
std::optional<Nanos> age_in(std::span<const uint8_t> payload) {
    constexpr Nanos tick{10'000'000};
    const auto info = head_of<nda_cacheinfo>(payload);
    return info ? std::optional(tick * static_cast<int64_t>(info->ndm_updated)) : std::nullopt;
}

std::optional<Entry> entry_of(bool removed, std::span<const uint8_t> octets) {
    const auto head = head_of<ndmsg>(octets);
    if (!head || head->ndm_family != AF_BRIDGE) return {};
    Entry entry{.removed = removed,
                .interface = static_cast<uint32_t>(head->ndm_ifindex),
                .self = (head->ndm_flags & NTF_SELF) != 0,
                .permanent = (head->ndm_state & NUD_PERMANENT) != 0,
                .sticky = (head->ndm_flags & NTF_STICKY) != 0};
    bool has_address = false;
    bool is_of_use = true;
    for_each_attribute(behind(octets, sizeof *head),
                       [&](unsigned type, std::span<const uint8_t> payload) {
                           if (type == NDA_LLADDR && payload.size() == 6) {
                               entry.address = read_address(payload.data());
                               has_address = true;
                           } else if (type == NDA_DST) {
                               entry.vtep = ipv4_in(payload);
                           } else if (type == NDA_MASTER) {
                               entry.bridge = number_in(payload);
                           } else if (type == NDA_CACHEINFO) {
                               entry.age = age_in(payload);
                           } else if (type == NDA_VLAN || type == NDA_NH_ID) {
                               is_of_use = false;
                           }
                       });
    if (!has_address || !is_of_use) return {};
    return entry;
}

std::optional<IpAddress> ip_in(std::span<const uint8_t> payload, uint8_t family) {
    if (family == AF_INET) {
        const auto ipv4 = ipv4_in(payload);
        return ipv4 ? std::optional<IpAddress>(*ipv4) : std::nullopt;
    }
    if (family != AF_INET6 || payload.size() != sizeof(Ipv6Address)) return {};
    return read_ipv6(payload.data());
}

// The kernel's neighbour tables also hold multicast entries; they are skipped.
std::optional<Neighbour> neighbour_of(bool removed, std::span<const uint8_t> octets) {
    constexpr unsigned known =
        NUD_REACHABLE | NUD_STALE | NUD_DELAY | NUD_PROBE | NUD_NOARP;  // NUD_VALID
    const auto head = head_of<ndmsg>(octets);
    if (!head || (head->ndm_state & NUD_PERMANENT) != 0) return {};
    Neighbour neighbour{.removed = removed || (head->ndm_state & known) == 0,
                        .interface = static_cast<uint32_t>(head->ndm_ifindex),
                        .remote = (head->ndm_flags & NTF_EXT_LEARNED) != 0,
                        .router = (head->ndm_flags & NTF_ROUTER) != 0};
    std::optional<IpAddress> ip;
    for_each_attribute(behind(octets, sizeof *head),
                       [&](unsigned type, std::span<const uint8_t> payload) {
                           if (type == NDA_DST) ip = ip_in(payload, head->ndm_family);
                           if (type == NDA_LLADDR && payload.size() == 6) {
                               neighbour.mac = read_address(payload.data());
                           }
                       });
    if (!ip) return {};
    neighbour.ip = *ip;
    if (neighbour.removed) neighbour.mac = {};
    const bool is_station = neighbour.mac != MacAddress{} && !neighbour.mac.is_group();
    if (!neighbour.removed && !is_station) return {};
    return neighbour;
}

void read_vxlan(std::span<const uint8_t> octets, Link& link) {
    for_each_attribute(octets, [&](unsigned type, std::span<const uint8_t> payload) {
        if (type == IFLA_VXLAN_ID) link.vni = number_in(payload);
        if (type == IFLA_VXLAN_LOCAL) link.local = ipv4_in(payload);
    });
}

// A bond, or a VRF, is a master as well.
void read_kind(std::span<const uint8_t> octets, Link& link) {
    std::span<const uint8_t> data;
    bool of_bridge = false;
    for_each_attribute(octets, [&](unsigned type, std::span<const uint8_t> payload) {
        if (type == IFLA_INFO_KIND) link.is_vxlan = text_in(payload) == "vxlan";
        if (type == IFLA_INFO_DATA) data = payload;
        if (type == IFLA_INFO_SLAVE_KIND) of_bridge = text_in(payload) == "bridge";
    });
    if (!of_bridge) link.bridge = 0;
    if (link.is_vxlan) read_vxlan(data, link);
}

std::optional<Link> link_of(bool removed, std::span<const uint8_t> octets) {
    const auto head = head_of<ifinfomsg>(octets);
    // The kernel also sends AF_BRIDGE messages about the same ports; they are not read.
    if (!head || head->ifi_family != AF_UNSPEC) return {};
    Link link{.removed = removed,
              .interface = static_cast<uint32_t>(head->ifi_index),
              .is_up = (head->ifi_flags & IFF_UP) != 0};
    std::span<const uint8_t> kind;
    for_each_attribute(behind(octets, sizeof *head),
                       [&](unsigned type, std::span<const uint8_t> payload) {
                           if (type == IFLA_IFNAME) link.name = text_in(payload);
                           if (type == IFLA_MASTER) link.bridge = number_in(payload);
                           if (type == IFLA_LINKINFO) kind = payload;
                       });
    read_kind(kind, link);
    return link;
}

// Error codes of the kernel are negative.
std::optional<Message> answer_of(const nlmsghdr& head, std::optional<int> error) {
    const bool is_right = error && *error <= 0 && *error >= -4095;
    if (!is_right) return {};
    return Answer{head.nlmsg_seq, -*error};
}

std::optional<Message> message_of(const nlmsghdr& head, std::span<const uint8_t> payload) {
    const auto if_there = [](auto found) {
        return found ? std::optional<Message>(std::move(*found)) : std::nullopt;
    };
    switch (head.nlmsg_type) {
        case RTM_NEWNEIGH:
        case RTM_DELNEIGH: {
            const bool removed = head.nlmsg_type == RTM_DELNEIGH;
            const bool dumped = (head.nlmsg_flags & NLM_F_MULTI) != 0;
            if (auto entry = entry_of(removed, payload)) {
                entry->dumped = dumped;
                return *entry;
            }
            auto neighbour = neighbour_of(removed, payload);
            if (neighbour) neighbour->dumped = dumped;
            return if_there(std::move(neighbour));
        }
        case RTM_NEWLINK:
        case RTM_DELLINK:
            return if_there(link_of(head.nlmsg_type == RTM_DELLINK, payload));
        case NLMSG_DONE:  // an old kernel adds no error code
            return answer_of(head, payload.empty() ? 0 : head_of<int>(payload));
        case NLMSG_ERROR:
            return answer_of(head, head_of<int>(payload));
        default:
            return {};
    }
}

// --- requests ------------------------------------------------------------------------------------

template <class Item>
void append(Octets& octets, const Item& item) {
    const auto* const bytes = reinterpret_cast<const uint8_t*>(&item);
    octets.insert(octets.end(), bytes, bytes + sizeof item);
    octets.resize(aligned(octets.size()));
}

void append(Octets& octets, uint16_t type, std::span<const uint8_t> payload) {
    append(octets, rtattr{.rta_len = static_cast<uint16_t>(sizeof(rtattr) + payload.size()),
                          .rta_type = type});
    octets.insert(octets.end(), payload.begin(), payload.end());
    octets.resize(aligned(octets.size()));
}

template <class Body>
Octets begin(uint16_t type, uint16_t flags, uint32_t number, const Body& body) {
    Octets octets;
    nlmsghdr head{};
    head.nlmsg_type = type;
    head.nlmsg_flags = static_cast<uint16_t>(NLM_F_REQUEST | flags);
    head.nlmsg_seq = number;
    append(octets, head);
    append(octets, body);
    return octets;
}

Octets finish(Octets octets) {
    const auto length = static_cast<uint32_t>(octets.size());
    std::memcpy(octets.data() + offsetof(nlmsghdr, nlmsg_len), &length, sizeof length);
    return octets;
}

Octets about(uint16_t type, uint16_t flags, uint32_t number, const ndmsg& body,
             MacAddress address) {
    Octets octets = begin(type, flags, number, body);
    std::array<uint8_t, 6> mac{};
    write_address(mac.data(), address);
    append(octets, NDA_LLADDR, mac);
    return octets;
}

ndmsg of_family(uint8_t family, uint32_t interface, uint8_t flags) {
    ndmsg body{};
    body.ndm_family = family;
    body.ndm_ifindex = static_cast<int>(interface);
    body.ndm_flags = flags;
    return body;
}

ndmsg of_bridge(uint32_t interface, uint8_t flags) {
    return of_family(AF_BRIDGE, interface, flags);
}

Octets about(uint16_t type, uint16_t flags, uint32_t number, ndmsg body, const IpAddress& ip) {
    const auto* const ipv4 = std::get_if<Ipv4Address>(&ip);
    body.ndm_family = ipv4 != nullptr ? AF_INET : AF_INET6;
    Octets octets = begin(type, flags, number, body);
    if (ipv4 != nullptr) {
        std::array<uint8_t, 4> word{};
        write_32(word.data(), ipv4->bits);
        append(octets, NDA_DST, word);
    } else {
        append(octets, NDA_DST, std::get_if<Ipv6Address>(&ip)->octets);
    }
    return octets;
}

}  // namespace

std::vector<Message> read_messages(std::span<const uint8_t> octets) {
    std::vector<Message> messages;
    for_each_in_row<nlmsghdr>(octets, &nlmsghdr::nlmsg_len,
                              [&](const nlmsghdr& head, std::span<const uint8_t> payload) {
                                  if ((head.nlmsg_flags & NLM_F_DUMP_INTR) != 0) {
                                      messages.emplace_back(Interruption{head.nlmsg_seq});
                                  }
                                  if (auto message = message_of(head, payload)) {
                                      messages.push_back(std::move(*message));
                                  }
                              });
    return messages;
}

Octets ask_for_links(uint32_t number) {
    return finish(begin(RTM_GETLINK, NLM_F_DUMP, number, ifinfomsg{}));
}

Octets ask_for_entries(uint32_t number) {
    return finish(begin(RTM_GETNEIGH, NLM_F_DUMP, number, of_bridge(0, 0)));
}

Octets ask_for_neighbours(uint32_t number) {
    return finish(begin(RTM_GETNEIGH, NLM_F_DUMP, number, of_family(AF_UNSPEC, 0, 0)));
}

Octets add_to_bridge(uint32_t number, uint32_t interface, MacAddress address, bool sticky) {
    ndmsg body = of_bridge(interface, sticky ? NTF_MASTER | NTF_STICKY : NTF_MASTER);
    body.ndm_state = NUD_NOARP;
    return finish(
        about(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE | NLM_F_ACK, number, body, address));
}

Octets remove_from_bridge(uint32_t number, uint32_t interface, MacAddress address) {
    return finish(about(RTM_DELNEIGH, 0, number, of_bridge(interface, NTF_MASTER), address));
}

Octets remove_from_device(uint32_t number, uint32_t interface, MacAddress address,
                          Ipv4Address vtep) {
    Octets octets = about(RTM_DELNEIGH, 0, number, of_bridge(interface, NTF_SELF), address);
    std::array<uint8_t, 4> to{};
    write_32(to.data(), vtep.bits);
    append(octets, NDA_DST, to);
    return finish(octets);
}

Octets add_neighbour(uint32_t number, uint32_t interface, const Station& station) {
    ndmsg body = of_family(0, interface, station.router ? NTF_ROUTER : 0);
    body.ndm_state = NUD_REACHABLE;
    Octets octets = about(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE, number, body, station.ip);
    std::array<uint8_t, 6> mac{};
    write_address(mac.data(), station.mac);
    append(octets, NDA_LLADDR, mac);
    return finish(octets);
}

Octets remove_neighbour(uint32_t number, uint32_t interface, const IpAddress& ip) {
    return finish(about(RTM_DELNEIGH, 0, number, of_family(0, interface, 0), ip));
}

}  // namespace sluice::control::evpn
