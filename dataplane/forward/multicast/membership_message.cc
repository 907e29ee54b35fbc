#include "dataplane/forward/multicast/membership_message.h"

#include <algorithm>
#include <array>

#include "dataplane/forward/multicast/internet_checksum.h"

namespace sluice {
namespace {

using Octets = std::span<const uint8_t>;

constexpr std::size_t ipv4_octets = 4;
constexpr std::size_t ipv6_octets = 16;
constexpr std::size_t record_header = 4;  // type, auxiliary words, number of sources

// RFC 3376 4.2.12 and RFC 3810 5.2.12.
enum RecordType : uint8_t { is_in = 1, is_ex = 2, to_in = 3, to_ex = 4, allow = 5, block = 6 };

// The first octet of a message: RFC 3376 4, RFC 2710 3.1 and RFC 3810 5.2.
struct Igmp {
    static constexpr uint8_t query = 0x11, report_1 = 0x12, report_2 = 0x16, leave = 0x17;
    static constexpr uint8_t report_3 = 0x22, router = 0x30;
    static constexpr std::size_t interval = 9;  // offset in a query
};
struct Mld {
    static constexpr uint8_t query = 130, report_1 = 131, done = 132, report_2 = 143, router = 151;
    static constexpr std::size_t interval = 25;
};

constexpr uint8_t pim_protocol = 103;
constexpr uint8_t pim_hello = 0x20;  // version 2, type 0
constexpr std::size_t pim_header = 4;

constexpr std::size_t address_size(GroupProtocol protocol) {
    return protocol == GroupProtocol::igmp ? ipv4_octets : ipv6_octets;
}

// Returns the MAC address of a group (RFC 1112 6.4, RFC 2464 7); 0 if the address is not a group's,
// or if frames for the group are always flooded.
MacAddress mac_of(Octets address) {
    const bool version_4 = address.size() == ipv4_octets;
    const bool is_group = version_4 ? address[0] >> 4 == 0xE : address[0] == 0xFF;
    if (!is_group) return {};
    const Octets low = address.last<4>();
    const uint64_t bits = uint64_t{read_16(low.data())} << 16 | read_16(&low[2]);
    const MacAddress mac{version_4 ? 0x01005E000000 | (bits & 0x7FFFFF) : 0x333300000000 | bits};
    return goes_to_all(mac) ? MacAddress{} : mac;
}

bool is_zero(Octets octets) {
    uint8_t any = 0;
    for (const uint8_t octet : octets) any |= octet;
    return any == 0;
}

// Returns the query interval in seconds, from the code in a query: RFC 3376 4.1.7, RFC 3810 5.1.9.
uint32_t interval_of(Octets query, std::size_t at) {
    if (query.size() <= at) return 0;
    const uint8_t code = query[at];
    if (code < 128) return code;
    return ((uint32_t{code} & 0x0F) | 0x10) << ((code >> 4 & 7) + 3);
}

std::size_t record_size(Octets record, GroupProtocol protocol) {
    const std::size_t sources = read_16(&record[2]);
    return record_header + (sources + 1) * address_size(protocol) + std::size_t{4} * record[1];
}

}  // namespace

MembershipChange MembershipMessage::next(Records& records) const {
    const Octets record = records.octets;
    const uint8_t type = record[0];
    const std::size_t size = address_size(protocol);
    const std::size_t sources = read_16(&record[2]);
    const Octets address = record.subspan(record_header, size);
    MembershipChange change{.group = mac_of(address),
                            .address = address,
                            .says = MembershipChange::Says::joins,
                            .sources = {},
                            .address_size = size};
    if (type != is_ex && type != to_ex) {
        using enum MembershipChange::Says;
        change.sources = record.subspan(record_header + size, sources * size);
        change.says = type == block   ? blocks
                      : type != to_in ? includes
                      : sources == 0  ? leaves
                                      : narrows;
        const bool known = type == is_in || type == to_in || type == allow || type == block;
        if (!known || (sources == 0 && type != to_in)) change.group = {};
    }
    records.octets = record.subspan(record_size(record, protocol));
    --records.count;
    return change;
}

class MembershipReader {
  public:
    using Kind = MembershipMessage::Kind;

    MembershipMessage read(Octets network) {
        if (network.empty()) return message_;
        if (network[0] >> 4 == 4) message_.kind = ipv4(network);
        if (network[0] >> 4 == 6) message_.kind = ipv6(network);
        return message_;
    }

  private:
    Kind ipv4(Octets network) {
        constexpr std::size_t shortest = 20;
        constexpr uint8_t igmp_protocol = 2;
        constexpr std::size_t shortest_igmp = 8;
        if (network.size() < shortest) return Kind::none;
        if (network[9] == pim_protocol) return pim_of_ipv4(network);
        if (network[9] != igmp_protocol) return Kind::none;
        message_.protocol = GroupProtocol::igmp;
        const std::size_t header = std::size_t{4} * (network[0] & 0x0F);
        const std::size_t total = read_16(&network[2]);
        if (header < shortest || total < header + shortest_igmp || total > network.size()) {
            return Kind::damaged;
        }
        InternetChecksum of_header;
        of_header.add(network.first(header));
        if (!of_header.is_right()) return Kind::damaged;
        constexpr unsigned fragment_bits = 0x3FFF;
        if ((read_16(&network[6]) & fragment_bits) != 0) return Kind::other;
        const Octets igmp = network.first(total).subspan(header);
        InternetChecksum of_message;
        of_message.add(igmp);
        if (!of_message.is_right()) return Kind::damaged;
        const Kind kind = igmp_message(igmp);
        const bool of_router = kind == Kind::query || kind == Kind::announcement;
        message_.sender = read_source(network.subspan(12, ipv4_octets));
        message_.from_router = of_router && message_.sender != GroupSource{};
        return kind;
    }

    Kind pim_of_ipv4(Octets network) {
        constexpr std::array<uint8_t, ipv4_octets> all_pim_routers = {224, 0, 0, 13};
        constexpr std::size_t shortest = 20;
        const std::size_t header = std::size_t{4} * (network[0] & 0x0F);
        const std::size_t total = read_16(&network[2]);
        if (header < shortest || total < header + pim_header || total > network.size() ||
            !std::ranges::equal(network.subspan(16, ipv4_octets), all_pim_routers)) {
            return Kind::none;
        }
        constexpr unsigned fragment_bits = 0x3FFF;
        const Octets pim = network.first(total).subspan(header);
        if (pim[0] != pim_hello || (read_16(&network[6]) & fragment_bits) != 0) return Kind::none;
        InternetChecksum of_header;
        of_header.add(network.first(header));
        InternetChecksum of_message;
        of_message.add(pim);
        if (!of_header.is_right() || !of_message.is_right()) return Kind::none;
        message_.protocol = GroupProtocol::igmp;
        message_.from_router = !is_zero(network.subspan(12, ipv4_octets));
        return Kind::announcement;
    }

    // Requires that the checksum is right, and that there are eight octets.
    Kind igmp_message(Octets igmp) {
        constexpr std::size_t group_at = 4;
        constexpr std::size_t records_at = 8;
        switch (igmp[0]) {
            case Igmp::query:
                message_.interval_s = interval_of(igmp, Igmp::interval);
                return Kind::query;
            case Igmp::report_1:
                message_.lasting = true;
                [[fallthrough]];
            case Igmp::report_2:
                return alone(igmp.subspan(group_at, ipv4_octets), true);
            case Igmp::leave:
                return alone(igmp.subspan(group_at, ipv4_octets), false);
            case Igmp::router:
                return Kind::announcement;
            case Igmp::report_3:
                return several(igmp.subspan(records_at), read_16(&igmp[6]));
            default:
                return Kind::other;
        }
    }

    Kind ipv6(Octets network) {
        constexpr std::size_t header = 40;
        constexpr uint8_t hop_by_hop = 0, icmp_protocol = 58;
        if (network.size() < header + 4) return Kind::none;
        const Octets arrived = network.subspan(header);
        if (network[6] == pim_protocol) return pim_of_ipv6(network, arrived);
        std::size_t options = 0;
        if (network[6] == hop_by_hop && arrived[0] == icmp_protocol) {
            options = std::size_t{8} * (arrived[1] + std::size_t{1});
        } else if (network[6] != icmp_protocol) {
            return Kind::none;
        }
        if (options >= arrived.size() || !is_mld(arrived[options])) return Kind::none;

        message_.protocol = GroupProtocol::mld;
        const std::size_t payload = read_16(&network[4]);
        if (options == 0 || payload > arrived.size() || options + 4 > payload) return Kind::damaged;
        const Octets behind = arrived.first(payload);
        const Octets icmp = behind.subspan(options);
        const Octets source = network.subspan(8, ipv6_octets);
        const bool link_local = source[0] == 0xFE && source[1] >> 6 == 2;
        const bool sound = network[7] == 1 && alerts_routers(behind.subspan(2, options - 2)) &&
                           (link_local || is_zero(source));
        InternetChecksum sum;
        sum.add(network.subspan(8, 2 * ipv6_octets));
        sum.add(icmp.size() + icmp_protocol);
        sum.add(icmp);
        if (!sound || !sum.is_right()) return Kind::damaged;
        const Kind kind = mld_message(icmp);
        const bool of_router = kind == Kind::query || kind == Kind::announcement;
        message_.sender = read_source(source);
        message_.from_router = of_router && link_local;
        return kind;
    }

    Kind pim_of_ipv6(Octets network, Octets arrived) {
        constexpr std::array<uint8_t, ipv6_octets> all_pim_routers = {0xFF, 2, 0, 0, 0, 0, 0, 0,
                                                                      0,    0, 0, 0, 0, 0, 0, 13};
        const std::size_t payload = read_16(&network[4]);
        if (payload < pim_header || payload > arrived.size() ||
            !std::ranges::equal(network.subspan(24, ipv6_octets), all_pim_routers)) {
            return Kind::none;
        }
        const Octets pim = arrived.first(payload);
        if (pim[0] != pim_hello || network[7] != 1) return Kind::none;
        InternetChecksum sum;
        sum.add(network.subspan(8, 2 * ipv6_octets));
        sum.add(pim.size() + pim_protocol);
        sum.add(pim);
        if (!sum.is_right()) return Kind::none;
        message_.protocol = GroupProtocol::mld;
        message_.from_router = network[8] == 0xFE && network[9] >> 6 == 2;
        return Kind::announcement;
    }

    static bool is_mld(uint8_t type) {
        return type == Mld::query || type == Mld::report_1 || type == Mld::done ||
               type == Mld::report_2 || type == Mld::router;
    }

    Kind mld_message(Octets icmp) {
        constexpr std::size_t group_at = 8;
        constexpr std::size_t records_at = 8;
        if (icmp[0] == Mld::router) {
            return icmp.size() < records_at ? Kind::damaged : Kind::announcement;
        }
        if (icmp[0] == Mld::report_2) {
            if (icmp.size() < records_at) return Kind::damaged;
            return several(icmp.subspan(records_at), read_16(&icmp[6]));
        }
        if (icmp.size() < group_at + ipv6_octets) return Kind::damaged;
        if (icmp[0] == Mld::query) {
            message_.interval_s = interval_of(icmp, Mld::interval);
            return Kind::query;
        }
        return alone(icmp.subspan(group_at, ipv6_octets), icmp[0] == Mld::report_1);
    }

    // Whether the options have a router alert for MLD: option 5 of two octets, 0 (RFC 2711). False
    // if an option exceeds the header.
    static bool alerts_routers(Octets options) {
        constexpr uint8_t padding = 0, router_alert = 5;
        while (!options.empty()) {
            if (options[0] == padding) {
                options = options.subspan(1);
                continue;
            }
            if (options.size() < 2 || options.size() < std::size_t{2} + options[1]) return false;
            const Octets value = options.subspan(2, options[1]);
            if (options[0] == router_alert && value.size() == 2) return is_zero(value);
            options = options.subspan(2 + value.size());
        }
        return false;
    }

    Kind alone(Octets group, bool joins) {
        message_.alone_ = {
            .group = mac_of(group),
            .address = group,
            .says = joins ? MembershipChange::Says::joins : MembershipChange::Says::leaves,
            .sources = {},
            .address_size = address_size(message_.protocol)};
        return Kind::report;
    }

    // Checks that all records are complete before any of them is used.
    Kind several(Octets records, unsigned count) {
        Octets left = records;
        for (unsigned number = 0; number < count; ++number) {
            if (left.size() < record_header) return Kind::damaged;
            const std::size_t size = record_size(left, message_.protocol);
            if (left.size() < size) return Kind::damaged;
            left = left.subspan(size);
        }
        message_.records_ = records;
        message_.count_ = count;
        return Kind::report;
    }

    MembershipMessage message_;
};

MembershipMessage read_membership(std::span<const uint8_t> network) {
    return MembershipReader().read(network);
}

}  // namespace sluice
