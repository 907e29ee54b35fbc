#include "control/querier/query.h"

#include <algorithm>
#include <bit>
#include <span>

#include "config/port/encapsulations.h"
#include "dataplane/forward/multicast/internet_checksum.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/types/tag.h"

namespace sluice::querier {

namespace {

constexpr std::size_t network = tag_offset + 2;  // after the EtherType
constexpr std::size_t ipv4_header = 24;          // with the router alert option
constexpr std::size_t ipv6_header = 40;
constexpr std::size_t hop_by_hop = 8;
constexpr std::size_t shortest_frame = 60;
constexpr uint8_t internetwork_control = 6 << 5;  // type of service of RFC 3376 4
constexpr uint8_t robustness = 2;
constexpr int64_t second = 1'000'000'000;

// Encodes a value as a small floating-point number if it is too large to be encoded directly (RFC
// 3376 4.1.1, RFC 3810 5.1.3): `mantissa` bits below three exponent bits. Rounds down.
constexpr uint32_t code_of(uint64_t value, unsigned mantissa) {
    const uint64_t plain = uint64_t{8} << mantissa;
    if (value < plain) return static_cast<uint32_t>(value);
    const uint64_t most = ((uint64_t{2} << mantissa) - 1) << 10;
    value = std::min(value, most);
    const auto exponent = static_cast<unsigned>(std::bit_width(value)) - 1 - mantissa - 3;
    const uint64_t digits = (value >> (exponent + 3)) & ((uint64_t{1} << mantissa) - 1);
    return static_cast<uint32_t>(plain | uint64_t{exponent} << mantissa | digits);
}
static_assert(code_of(127, 4) == 127 && code_of(128, 4) == 0x80 && code_of(1000, 4) == 0xAF);
static_assert(code_of(31744, 4) == 0xFF && code_of(99999, 4) == 0xFF);
static_assert(code_of(32767, 12) == 32767 && code_of(32768, 12) == 0x8000);

uint8_t interval_code(Nanos interval) {
    return static_cast<uint8_t>(code_of(static_cast<uint64_t>(interval.count() / second), 4));
}

// Returns the response time in the unit of a protocol, at least 1: 0 would request no answer.
uint64_t response_in(Nanos response, int64_t unit) {
    return static_cast<uint64_t>(std::max<int64_t>(response.count() / unit, 1));
}

void write_group(uint8_t* octets, const GroupSource& group, std::size_t size) {
    for (std::size_t at = 0; at < size; ++at) {
        const std::size_t from_end = size - 1 - at;
        const uint64_t half = from_end < 8 ? group.low : group.high;
        octets[at] = static_cast<uint8_t>(half >> (from_end % 8 * 8));
    }
}

std::vector<uint8_t> igmp_frame(const Query& query) {
    const bool version_3 = query.version >= 3;
    const std::size_t size = version_3 ? 12 : 8;
    const bool general = query.group == GroupSource{};
    const auto to =
        general ? Ipv4Address{0xE0000001} : Ipv4Address{static_cast<uint32_t>(query.group.low)};
    std::vector<uint8_t> frame(std::max(network + ipv4_header + size, shortest_frame));
    write_address(frame.data(), {uint64_t{0x01005E000000} | (to.bits & 0x7FFFFF)});
    write_address(frame.data() + 6, query.mac);
    write_16(frame.data() + tag_offset, ipv4_ether_type);
    const auto ip = std::span(frame).subspan(network, ipv4_header);
    ip[0] = 4 << 4 | ipv4_header / 4;
    ip[1] = internetwork_control;
    write_16(&ip[2], static_cast<uint16_t>(ipv4_header + size));
    write_16(&ip[6], 0x4000);  // do not fragment
    ip[8] = 1;                 // TTL
    ip[9] = 2;                 // IGMP
    write_32(&ip[12], query.ipv4.bits);
    write_32(&ip[16], to.bits);
    write_32(&ip[20], 0x94040000);  // router alert (RFC 2113)
    InternetChecksum of_header;
    of_header.add(ip);
    write_16(&ip[10], of_header.missing());

    const auto igmp = std::span(frame).subspan(network + ipv4_header, size);
    const uint64_t tenths = response_in(query.response, second / 10);
    igmp[0] = 0x11;
    igmp[1] = static_cast<uint8_t>(version_3 ? code_of(tenths, 4)
                                             : std::min<uint64_t>(tenths, UINT8_MAX));
    write_group(&igmp[4], query.group, 4);
    if (version_3) {
        igmp[8] = robustness;
        igmp[9] = interval_code(query.interval);
    }
    InternetChecksum of_message;
    of_message.add(igmp);
    write_16(&igmp[2], of_message.missing());
    return frame;
}

std::vector<uint8_t> mld_frame(const Query& query) {
    const bool version_2 = query.version >= 2;
    const std::size_t size = version_2 ? 28 : 24;
    const GroupSource all_nodes{.high = 0xFF02'0000'0000'0000, .low = 1};
    const GroupSource to = query.group == GroupSource{} ? all_nodes : query.group;
    std::vector<uint8_t> frame(network + ipv6_header + hop_by_hop + size);
    write_address(frame.data(), {uint64_t{0x333300000000} | (to.low & 0xFFFFFFFF)});
    write_address(frame.data() + 6, query.mac);
    write_16(frame.data() + tag_offset, ipv6_ether_type);
    const auto ip = std::span(frame).subspan(network, ipv6_header);
    write_32(ip.data(), uint32_t{6} << 28 | uint32_t{internetwork_control} << 20);
    write_16(&ip[4], static_cast<uint16_t>(hop_by_hop + size));
    ip[7] = 1;  // hop limit
    write_group(&ip[8], address_of(query), 16);
    write_group(&ip[24], to, 16);
    const auto options = std::span(frame).subspan(network + ipv6_header, hop_by_hop);
    options[0] = 58;  // next header: ICMPv6
    options[2] = 5;   // router alert (RFC 2711): two octets, 0 for MLD
    options[3] = 2;
    options[6] = 1;  // PadN

    const auto icmp = std::span(frame).last(size);
    icmp[0] = 130;
    const uint64_t millis = response_in(query.response, second / 1000);
    write_16(&icmp[4], static_cast<uint16_t>(version_2 ? code_of(millis, 12)
                                                       : std::min<uint64_t>(millis, UINT16_MAX)));
    write_group(&icmp[8], query.group, 16);
    if (version_2) {
        icmp[24] = robustness;
        icmp[25] = interval_code(query.interval);
    }
    InternetChecksum sum;
    sum.add(ip.subspan(8));
    sum.add(size + 58);
    sum.add(icmp);
    write_16(&icmp[2], sum.missing());
    return frame;
}

}  // namespace

std::vector<uint8_t> frame_of(const Query& query) {
    return query.protocol == GroupProtocol::igmp ? igmp_frame(query) : mld_frame(query);
}

// Modified EUI-64 (RFC 4291 2.5.1): the universal bit is inverted.
GroupSource address_of(const Query& query) {
    if (query.protocol == GroupProtocol::igmp) return {.high = 0, .low = query.ipv4.bits};
    const uint64_t mac = query.mac.bits ^ uint64_t { 2 } << 40;
    return {.high = 0xFE80'0000'0000'0000,
            .low = mac >> 24 << 40 | 0xFFFE000000 | (mac & 0xFFFFFF)};
}

std::string text_of(GroupProtocol protocol, const GroupSource& address) {
    if (protocol == GroupProtocol::igmp) {
        return config::to_text(Ipv4Address{static_cast<uint32_t>(address.low)});
    }
    Ipv6Address ipv6;
    write_group(ipv6.octets.data(), address, ipv6.octets.size());
    return config::to_text(ipv6);
}

}  // namespace sluice::querier
