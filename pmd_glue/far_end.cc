#include "pmd_glue/far_end.h"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "pmd_glue/interface_query.h"

namespace sluice::pmd {
namespace {

struct LinkSeen {
    std::string name;
    uint32_t mtu = 0;
    unsigned other = 0;  // index of the other end
    // Namespace id of the other end, if it is in another namespace.
    std::optional<int32_t> in_namespace;
};

struct Question {
    nlmsghdr header;
    ifinfomsg about;
    rtattr attribute;  // IFLA_TARGET_NETNSID: namespace of the interface
    int32_t namespace_id;
};
static_assert(sizeof(Question) == NLMSG_LENGTH(sizeof(ifinfomsg)) + RTA_LENGTH(sizeof(int32_t)));

constexpr std::size_t aligned(std::size_t octets) { return (octets + 3) / 4 * 4; }

template <class Value>
Value value_of(std::span<const char> octets) {
    Value value{};
    std::memcpy(&value, octets.data(), std::min(octets.size(), sizeof value));
    return value;
}

LinkSeen link_in(std::span<const char> message) {
    LinkSeen link;
    std::size_t at = sizeof(nlmsghdr) + sizeof(ifinfomsg);
    while (at + sizeof(rtattr) <= message.size()) {
        const auto attribute = value_of<rtattr>(message.subspan(at));
        if (attribute.rta_len < sizeof attribute || at + attribute.rta_len > message.size()) break;
        const auto payload =
            message.subspan(at + sizeof attribute, attribute.rta_len - sizeof attribute);
        if (attribute.rta_type == IFLA_IFNAME) {
            link.name.assign(payload.data(), ::strnlen(payload.data(), payload.size()));
        }
        if (attribute.rta_type == IFLA_MTU) link.mtu = value_of<uint32_t>(payload);
        if (attribute.rta_type == IFLA_LINK) link.other = value_of<uint32_t>(payload);
        if (attribute.rta_type == IFLA_LINK_NETNSID) {
            link.in_namespace = value_of<int32_t>(payload);
        }
        at += aligned(attribute.rta_len);
    }
    return link;
}

std::optional<LinkSeen> ask_of_link(unsigned index, std::optional<int32_t> in_namespace) {
    const FileDescriptor socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    if (!socket.is_open()) return std::nullopt;
    Question question{};
    question.header.nlmsg_len = NLMSG_LENGTH(sizeof question.about);
    question.header.nlmsg_type = RTM_GETLINK;
    question.header.nlmsg_flags = NLM_F_REQUEST;
    question.about.ifi_index = static_cast<int>(index);
    if (in_namespace) {
        question.header.nlmsg_len = sizeof question;
        question.attribute = {.rta_len = RTA_LENGTH(sizeof(int32_t)),
                              .rta_type = IFLA_TARGET_NETNSID};
        question.namespace_id = *in_namespace;
    }
    if (::send(socket.number(), &question, question.header.nlmsg_len, 0) < 0) return std::nullopt;
    std::array<char, 32 * 1024> answer;
    const ssize_t got = ::recv(socket.number(), answer.data(), answer.size(), MSG_DONTWAIT);
    if (got < static_cast<ssize_t>(sizeof(nlmsghdr))) return std::nullopt;
    const auto octets = std::span<const char>(answer).first(static_cast<std::size_t>(got));
    const auto header = value_of<nlmsghdr>(octets);
    if (header.nlmsg_type != RTM_NEWLINK || header.nlmsg_len > octets.size()) return std::nullopt;
    return link_in(octets.first(header.nlmsg_len));
}

bool is_veth(const std::string& interface) {
    ethtool_drvinfo about{};
    about.cmd = ETHTOOL_GDRVINFO;
    return InterfaceQuery(interface).ask_ethtool(&about) &&
           std::strncmp(about.driver, "veth", sizeof about.driver) == 0;
}

}  // namespace

std::optional<FarEnd> far_end_of(const std::string& interface) {
    if (!is_veth(interface)) return std::nullopt;
    const auto own = ask_of_link(::if_nametoindex(interface.c_str()), std::nullopt);
    if (!own || own->other == 0) return std::nullopt;
    const auto other = ask_of_link(own->other, own->in_namespace);
    if (!other || other->mtu == 0) return std::nullopt;
    return FarEnd{.name = other->name, .mtu = other->mtu};
}

std::optional<std::string> notice_of(const FarEnd& far, const std::string& interface,
                                     uint16_t mtu) {
    if (far.mtu >= mtu) return std::nullopt;
    const std::string takes = std::to_string(far.mtu);
    return "the far end of " + interface + ", " + far.name + ", has an MTU of " + takes +
           " and the port one of " + std::to_string(mtu) +
           ": longer frames are lost on their way to it; at the host `ip link set dev " + far.name +
           " mtu " + std::to_string(mtu) + "`, or write mtu: " + takes + "B";
}

}  // namespace sluice::pmd
