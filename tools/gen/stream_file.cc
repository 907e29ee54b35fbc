#include "tools/gen/stream_file.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "tools/gen/words.h"

namespace sluice::gen {
namespace {

constexpr auto stream_keys =
    std::to_array<std::string_view>({"name", "from", "to", "rate", "frame_bytes", "vlan", "pcp",
                                     "dscp", "addresses", "burst", "frames", "format", "octets"});
constexpr ListWords words_of_streams{"streams", "stream", "{from: 0, to: 1}", stream_keys};
constexpr auto keys_of_probes = std::to_array<std::string_view>(
    {"to", "frame_bytes", "vlan", "pcp", "dscp", "addresses", "format"});
constexpr std::size_t shortest_raw = 14;  // octets of the addresses and the type
constexpr int64_t most_frames = 1'000'000'000'000;

tl::expected<std::vector<uint8_t>, std::string> parse_octets(std::string_view text) {
    std::vector<uint8_t> octets;
    std::string digits(text);
    std::erase(digits, ' ');
    for (std::size_t n = 0; n + 1 < digits.size(); n += 2) {
        uint8_t octet = 0;
        const char* const end = &digits[n] + 2;
        if (std::from_chars(&digits[n], end, octet, 16).ptr != end) break;
        octets.push_back(octet);
    }
    if (2 * octets.size() == digits.size() && octets.size() >= shortest_raw &&
        octets.size() <= longest_frame - fcs_octets) {
        return octets;
    }
    return tl::unexpected(fmt::format("not valid octets; write {} to {} octets in hexadecimal",
                                      shortest_raw, longest_frame - fcs_octets));
}

void read_octets(StreamReader& reader, std::size_t ports, Stream& stream) {
    for (const std::string_view key : keys_of_probes) {
        if (const config::Node* node = reader.find(key); node != nullptr) {
            reader.fault(node->at, key, "is not of a stream of `octets`", "leave one of them out");
        }
    }
    SenderSettings& sender = stream.sender;
    reader.parse("octets", parse_octets, sender.octets);
    sender.pattern.only_to = static_cast<PortIndex>((stream.from + 1U) % ports);
    sender.pattern.frames =
        FrameMix::fixed(static_cast<uint16_t>(sender.octets.size() + fcs_octets));
}

}  // namespace

Streams read_streams(std::string_view text, const std::string& file, std::size_t ports) {
    std::vector<Stream> streams;
    auto faults = read_list(
        text, file, ports, words_of_streams, [&](StreamReader& reader, std::size_t number) {
            Stream& stream = streams.emplace_back();
            stream.name = reader.name(number);
            reader.read_from(stream);
            SenderSettings& sender = stream.sender;
            sender.burst = static_cast<uint16_t>(reader.number("burst", 1, 65535, 1));
            sender.frames = static_cast<uint64_t>(reader.number("frames", 0, most_frames, 0));
            reader.parse("rate", parse_packet_rate, sender.rate);
            if (reader.find("octets") != nullptr) {
                read_octets(reader, ports, stream);
            } else {
                reader.read_probe(stream);
            }
            return stream.name;
        });
    if (faults.empty()) return streams;
    return tl::unexpected(std::move(faults));
}

}  // namespace sluice::gen
