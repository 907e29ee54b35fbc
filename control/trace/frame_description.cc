#include "control/trace/frame_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "config/yaml/fault.h"
#include "control/trace/request.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/types/tag.h"

namespace sluice::control {

namespace {

constexpr uint16_t ipv4 = 0x0800;
constexpr uint16_t ipv6 = 0x86DD;
constexpr uint16_t experimental = 0x88B5;  // the default: IEEE 802 local experimental EtherType
constexpr uint64_t longest = 9600;

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    constexpr std::string_view space = " \t\r\n";
    for (auto at = text.find_first_not_of(space); at != std::string_view::npos;
         at = text.find_first_not_of(space, at)) {
        const auto end = std::min(text.find_first_of(space, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

// Parses a decimal number, or a hexadecimal one after 0x.
std::optional<uint64_t> number_of(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (hexadecimal) text.remove_prefix(2);
    uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, hexadecimal ? 16 : 10);
    if (error != std::errc() || stop != end) return {};
    return number;
}

struct Range {
    uint64_t least;
    uint64_t most;
};
const std::map<std::string_view, Range> numbers = {
    {"vlan", {0, 4094}}, {"pcp", {0, 7}},     {"type", {0x600, 0xFFFF}}, {"dscp", {0, 63}},
    {"udp", {0, 65535}}, {"tcp", {0, 65535}}, {"length", {14, longest}},
};

using Numbers = std::map<std::string_view, uint64_t>;

struct Words {
    std::optional<MacAddress> source;
    std::optional<MacAddress> destination;
    bool service = false;
    Numbers numbers;
};

tl::expected<Words, std::string> read(std::string_view text) {
    const std::vector<std::string_view> words = words_of(text);
    if (words.empty() || words[0] != "eth") {
        return tl::unexpected(
            std::string("frame: does not begin with eth; such as `eth src 02:00:00:00:00:01 dst "
                        "02:00:00:00:00:02 vlan 10 pcp 3`"));
    }
    Words read;
    for (std::size_t at = 1; at < words.size(); at += 2) {
        const std::string_view key = words[at];
        if (key == "service") {
            read.service = true;
            --at;
            continue;
        }
        const bool is_address = key == "src" || key == "dst";
        const auto range = numbers.find(key);
        if (!is_address && range == numbers.end()) {
            return tl::unexpected(fmt::format(
                "frame: no word {}; one of src, dst, vlan, pcp, service, type, dscp, udp, tcp, "
                "length",
                config::in_quotes(key)));
        }
        const std::string_view value = at + 1 < words.size() ? words[at + 1] : "";
        if (is_address) {
            const bool has_octets = value.find(':') != std::string_view::npos;
            const auto address = has_octets ? parse_address(value) : std::nullopt;
            if (!address) {
                return tl::unexpected(
                    fmt::format("frame: {}: no address; such as 02:00:00:00:00:01", key));
            }
            (key == "src" ? read.source : read.destination) = address;
            continue;
        }
        const auto number = number_of(value);
        const auto [least, most] = range->second;
        if (!number || *number < least || *number > most) {
            return tl::unexpected(
                fmt::format("frame: {}: no such number; one from {} to {}", key, least, most));
        }
        read.numbers[range->first] = *number;
    }
    if (!read.source || !read.destination) {
        return tl::unexpected(
            std::string("frame: without src or dst; both, such as `eth src 02:00:00:00:00:01 dst "
                        "02:00:00:00:00:02`"));
    }
    return read;
}

class Octets {
  public:
    void add_8(uint64_t value) { octets_.push_back(static_cast<uint8_t>(value)); }
    void add_16(uint64_t value) {
        add_8(value >> 8);
        add_8(value);
    }
    void add_address(MacAddress address) {
        for (int shift = 40; shift >= 0; shift -= 8) add_8(address.bits >> shift);
    }
    void add_zeros(std::size_t count) { octets_.resize(octets_.size() + count); }
    void pad_to(std::size_t length) { octets_.resize(std::max(octets_.size(), length)); }
    std::vector<uint8_t> take() { return std::move(octets_); }

  private:
    std::vector<uint8_t> octets_;
};

}  // namespace

tl::expected<std::vector<uint8_t>, std::string> parse_frame(std::string_view text) {
    const auto words = read(text);
    if (!words) return tl::unexpected(words.error());
    const auto has = [&](std::string_view key) { return words->numbers.contains(key); };
    const auto value = [&](std::string_view key, uint64_t otherwise) {
        const auto found = words->numbers.find(key);
        return found == words->numbers.end() ? otherwise : found->second;
    };
    const bool has_transport = has("udp") || has("tcp");
    const bool is_ip = has("dscp") || has_transport;
    const uint64_t type = value("type", is_ip ? ipv4 : experimental);
    if (is_ip && type != ipv4 && type != ipv6) {
        return tl::unexpected(
            std::string("frame: dscp, udp and tcp are of IP; with type 0x0800 or 0x86DD"));
    }
    if (has("udp") && has("tcp")) {
        return tl::unexpected(std::string("frame: udp and tcp; one of both"));
    }
    Octets octets;
    octets.add_address(*words->destination);
    octets.add_address(*words->source);
    if (has("vlan") || has("pcp") || words->service) {
        octets.add_16(ether_type_of(words->service ? TagType::service : TagType::customer));
        octets.add_16(value("pcp", 0) << 13 | value("vlan", 0));
    }
    octets.add_16(type);
    const uint64_t protocol = has("tcp") ? tcp_protocol : udp_protocol;
    const std::size_t payload = has("tcp") ? 20 : 8;
    const uint64_t dscp = value("dscp", 0);
    if (type == ipv4) {
        octets.add_8(0x45);
        octets.add_8(dscp << 2);
        octets.add_16(20 + payload);
        octets.add_16(0);
        octets.add_16(0x4000);  // do not fragment
        octets.add_8(64);
        octets.add_8(protocol);
        octets.add_zeros(10);
    } else if (type == ipv6) {
        octets.add_16(0x6000 | dscp << 6);
        octets.add_16(0);
        octets.add_16(payload);
        octets.add_8(protocol);
        octets.add_8(64);
        octets.add_zeros(32);
    }
    if (type == ipv4 || type == ipv6) {
        octets.add_16(0);
        octets.add_16(value("udp", value("tcp", 0)));
        octets.add_zeros(payload - 4);
    }
    octets.pad_to(value("length", shortest_on_wire));
    return octets.take();
}

}  // namespace sluice::control
