#include "tools/sluice/doctor/namespace_id.h"

#include <linux/if_link.h>
#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace sluice::cli {

namespace {

template <class Value>
Value value_at(std::span<const char> octets) {
    Value value{};
    std::memcpy(&value, octets.data(), std::min(octets.size(), sizeof value));
    return value;
}

constexpr std::size_t aligned(std::size_t octets) { return (octets + 3) / 4 * 4; }

// Sends a request, and returns an attribute of the answer. `before`: number of octets of the answer
// that precede its attributes.
std::optional<int32_t> ask(const void* question, std::size_t octets, std::size_t before,
                           uint16_t attribute) {
    const int socket = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (socket < 0) return std::nullopt;
    std::array<char, 32 * 1024> buffer;
    ssize_t got = ::send(socket, question, octets, 0);
    if (got >= 0) got = ::recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
    ::close(socket);
    if (got < static_cast<ssize_t>(sizeof(nlmsghdr))) return std::nullopt;
    const auto answer = std::span<const char>(buffer).first(static_cast<std::size_t>(got));
    if (value_at<nlmsghdr>(answer).nlmsg_type == NLMSG_ERROR) return std::nullopt;
    for (std::size_t at = sizeof(nlmsghdr) + before; at + sizeof(rtattr) < answer.size();) {
        const auto about = value_at<rtattr>(answer.subspan(at));
        if (about.rta_len < sizeof about) return std::nullopt;
        if (about.rta_type == attribute)
            return value_at<int32_t>(answer.subspan(at + sizeof about));
        at += aligned(about.rta_len);
    }
    return std::nullopt;
}

}  // namespace

std::optional<int32_t> id_of_far_end(unsigned interface_index) {
    struct {
        nlmsghdr header;
        ifinfomsg about;
    } question{};
    question.header.nlmsg_len = sizeof question;
    question.header.nlmsg_type = RTM_GETLINK;
    question.header.nlmsg_flags = NLM_F_REQUEST;
    question.about.ifi_index = static_cast<int>(interface_index);
    return ask(&question, sizeof question, sizeof question.about, IFLA_LINK_NETNSID);
}

std::optional<int32_t> id_of_namespace(int file) {
    struct {
        nlmsghdr header;
        rtgenmsg about;
        alignas(4) rtattr attribute;  // NLMSG_ALIGNTO
        int32_t file;
    } question{};
    static_assert(sizeof question == sizeof(nlmsghdr) + aligned(sizeof(rtgenmsg)) + 8);
    question.header.nlmsg_len = sizeof question;
    question.header.nlmsg_type = RTM_GETNSID;
    question.header.nlmsg_flags = NLM_F_REQUEST;
    question.attribute = {.rta_len = sizeof(rtattr) + sizeof(int32_t), .rta_type = NETNSA_FD};
    question.file = file;
    const auto id = ask(&question, sizeof question, aligned(sizeof question.about), NETNSA_NSID);
    return id && *id >= 0 ? id : std::nullopt;
}

}  // namespace sluice::cli
