#include "tools/gen/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "config/yaml/values.h"
#include "tools/gen/probe.h"

namespace sluice::gen {
namespace {

// Parses `64`, or `64:7`.
tl::expected<FrameMix::Part, std::string> parse_part(std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto octets = config::parse_whole(text.substr(0, colon));
    if (!octets || *octets < shortest_frame || *octets > longest_frame) {
        return tl::unexpected(
            fmt::format("{} is not a frame length; use {} to {}, imix, or a mix like 64:7+1518:1",
                        text.substr(0, colon), shortest_frame, longest_frame));
    }
    const auto share = colon == text.size() ? 1 : config::parse_whole(text.substr(colon + 1));
    if (!share || *share < 1 || *share > 65535) {
        return tl::unexpected(fmt::format("{} is not a share; use 1 to 65535",
                                          text.substr(std::min(colon + 1, text.size()))));
    }
    return FrameMix::Part{static_cast<uint16_t>(*octets), static_cast<uint16_t>(*share)};
}

}  // namespace

tl::expected<Rate, std::string> parse_packet_rate(std::string_view text) {
    if (text == "max") return Rate{};
    const bool bits = text.ends_with("bps");
    const auto value = config::parse_rate(bits ? text.substr(0, text.size() - 3) : text);
    // The limits of a useful rate: from one frame a second to one in a picosecond.
    if (!value || *value < 1 || *value > 1'000'000'000'000) {
        return tl::unexpected(fmt::format(
            "{} is not a rate; use frames per second (1M), bits per second (10Gbps) or max", text));
    }
    return bits ? Rate::bits(*value) : Rate::frames(*value);
}

tl::expected<FrameMix, std::string> parse_frame_mix(std::string_view text) {
    if (text == "imix") return FrameMix::imix();
    FrameMix mix;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find('+', start), text.size());
        const auto part = parse_part(text.substr(start, end - start));
        if (!part) return tl::unexpected(part.error());
        if (mix.count == FrameMix::most_parts || mix.total + part->share > 65535) {
            return tl::unexpected(
                fmt::format("{} is too large a mix; use at most {} lengths and a sum "
                            "of shares of at most 65535",
                            text, FrameMix::most_parts));
        }
        mix.parts[mix.count++] = *part;
        mix.total = static_cast<uint16_t>(mix.total + part->share);
        start = end + 1;
    }
    if (mix.count == 1) return FrameMix::fixed(mix.parts[0].octets);
    return mix;
}

std::string to_word(const FrameMix& frames) {
    if (frames.count == 1) return fmt::to_string(frames.parts[0].octets);
    if (frames == FrameMix::imix()) return "imix";
    std::string word;
    for (std::size_t n = 0; n < frames.count; ++n) {
        const auto& [octets, share] = frames.parts[n];
        word += fmt::format("{}{}:{}", n == 0 ? "" : "+", octets, share);
    }
    return word;
}

tl::expected<std::vector<NamedMix>, std::string> parse_frame_mixes(std::string_view text) {
    constexpr std::string_view standard = "64,128,256,512,1024,1280,1518";
    std::vector<NamedMix> mixes;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const std::string_view name = text.substr(start, end - start);
        start = end + 1;
        if (name == "rfc2544") {
            std::ranges::copy(*parse_frame_mixes(standard), std::back_inserter(mixes));
            continue;
        }
        const auto frames = parse_frame_mix(name);
        if (!frames) return tl::unexpected(frames.error());
        mixes.push_back({std::string(name), *frames});
    }
    return mixes;
}

}  // namespace sluice::gen
