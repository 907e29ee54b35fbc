#include "config/yaml/scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "config/reference.h"
#include "config/yaml/endpoint.h"
#include "config/yaml/fault.h"
#include "config/yaml/origin.h"
#include "config/yaml/suggestion.h"
#include "config/yaml/values.h"
#include "config/yaml/vlan_range.h"

namespace sluice::config {

namespace {

using Result = tl::expected<Scalar, Complaint>;

tl::unexpected<Complaint> complain(std::string what, std::string remedy) {
    return tl::unexpected(Complaint{std::move(what), std::move(remedy)});
}

std::string_view noun(Kind kind) {
    switch (kind) {
        case Kind::share:
            return "a number";
        case Kind::probability:
            return "a probability";
        case Kind::size:
            return "a size";
        case Kind::rate:
            return "a rate";
        case Kind::time:
            return "a time";
        case Kind::length:
            return "a length";
        case Kind::mask:
            return "a mask";
        case Kind::address:
        case Kind::destination:
            return "an address";
        default:
            return "a whole number";
    }
}

Parsed parse(std::string_view text, Kind kind) {
    switch (kind) {
        case Kind::share:
            return parse_share(text);
        case Kind::probability:
            return parse_probability(text);
        case Kind::size:
            return parse_size(text);
        case Kind::rate:
            return parse_rate(text);
        case Kind::time:
            return parse_time(text);
        case Kind::length:
            return parse_length(text);
        case Kind::mask:
            return parse_mask(text);
        case Kind::destination:
            return parse_address(text);
        default:
            return parse_whole(text);
    }
}

std::string_view smallest_part(Kind kind) {
    switch (kind) {
        case Kind::rate:
            return "bits a second";
        case Kind::time:
            return "nanoseconds";
        case Kind::length:
            return "millimetres";
        default:
            return "octets";
    }
}

Result read_number(const std::string& text, const Key& key) {
    const std::string remedy = "write " + expected(key);
    const Parsed parsed = parse(text, key.kind);
    if (!parsed) {
        switch (parsed.error()) {
            case Wrong::form:
                return complain(fmt::format("{} is not {}", in_quotes(text), noun(key.kind)),
                                remedy);
            case Wrong::negative:
                return complain(fmt::format("{} is negative", in_quotes(text)), remedy);
            case Wrong::fraction:
                return complain(fmt::format("{} is no whole number of {}", in_quotes(text),
                                            smallest_part(key.kind)),
                                remedy);
            case Wrong::vanishing:
            case Wrong::overflow:
                return complain(fmt::format("{} is out of range", in_quotes(text)), remedy);
        }
    }
    const int64_t number = *parsed;
    if (key.or_zero && number == 0) return Scalar{number};
    if (number < key.lowest || number > key.highest) {
        return complain(fmt::format("{} is out of range", in_quotes(text)), remedy);
    }
    if (key.power_of_two && !std::has_single_bit(static_cast<uint64_t>(number))) {
        return complain(fmt::format("{} is not a power of two", in_quotes(text)), remedy);
    }
    return Scalar{number};
}

Result read_address(const std::string& text, const Key& key) {
    const Parsed parsed = parse_address(text);
    if (!parsed) {
        return complain(fmt::format("{} is not an address", in_quotes(text)),
                        "write " + expected(key));
    }
    const MacAddress address{static_cast<uint64_t>(*parsed)};
    if (address.is_group()) {
        return complain(fmt::format("{} is the address of a group", text),
                        "write a station's, its first octet even");
    }
    if (address.bits == 0) {
        return complain(fmt::format("{} is not the address of a station", text),
                        "write a station's");
    }
    return Scalar{*parsed};
}

Result read_group(const std::string& text, const Key& key) {
    const Parsed parsed = parse_address(text);
    if (!parsed) {
        return complain(fmt::format("{} is not an address", in_quotes(text)),
                        "write " + expected(key));
    }
    const MacAddress address{static_cast<uint64_t>(*parsed)};
    if (!address.is_group()) {
        return complain(fmt::format("{} is the address of a station", text),
                        "write a group's, its first octet odd");
    }
    if (address == broadcast_address || address.is_reserved()) {
        return complain(fmt::format("{} is broadcast or link-local", text),
                        "write " + expected(key));
    }
    return Scalar{*parsed};
}

// Whether a text in the file means this choice. A YAML library may write `true` and `false` for
// `on` and `off` (booleans of YAML 1.1), and 0x88A8 in decimal.
bool is_meant(std::string_view choice, const std::string& text) {
    if (choice == text) return true;
    if (choice == "on") return text == "true";
    if (choice == "off") return text == "false";
    const Parsed number = parse_whole(choice);
    return number && parse_whole(text) == number;
}

Result read_choice(const std::string& text, const Key& key) {
    const auto found = std::ranges::find_if(
        key.choices, [&](std::string_view choice) { return is_meant(choice, text); });
    if (found != key.choices.end()) {
        return Scalar{found - key.choices.begin(), std::string(*found)};
    }
    return complain(fmt::format("{} is not one of {}", in_quotes(text), joined(key.choices, ", ")),
                    "write " + expected(key));
}

Result read_boolean(const std::string& text, const Key& key) {
    if (text == "true") return Scalar{1};
    if (text == "false") return Scalar{0};
    return complain(fmt::format("{} is neither true nor false", in_quotes(text)),
                    "write " + expected(key));
}

Result read_name(const std::string& text, const Key& key) {
    constexpr std::size_t longest = 32;
    const bool fits = std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '_' || c == '-' || c == '/';
    });
    if (fits && !text.empty() && text.size() <= longest) return Scalar{0, text};
    return complain(fmt::format("{} is not a name", in_quotes(text)), "write " + expected(key));
}

Result read_vlans(const std::string& text, const Key& key) {
    const std::size_t dash = text.find('-');
    const Parsed first = parse_whole(std::string_view(text).substr(0, dash));
    const Parsed last =
        dash == std::string::npos ? first : parse_whole(std::string_view(text).substr(dash + 1));
    if (!first || !last) {
        return complain(fmt::format("{} is neither a VLAN nor a range", in_quotes(text)),
                        "write " + expected(key));
    }
    if (*first < key.lowest || *last > key.highest) {
        return complain(fmt::format("{} is out of range", in_quotes(text)),
                        "write " + expected(key));
    }
    if (*first > *last) {
        return complain(fmt::format("{} ends before it begins", in_quotes(text)),
                        fmt::format("write {}-{}", *last, *first));
    }
    return Scalar{VlanRange{.first = *first, .last = *last}.number()};
}

bool is_printable(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

Result read_device(const std::string& text, const Key& key) {
    constexpr std::size_t longest = 256;
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        return complain(fmt::format("{} has no scheme", in_quotes(text)), "write " + expected(key));
    }
    const std::string_view scheme = std::string_view(text).substr(0, colon);
    const auto known = device_schemes();
    if (std::find(known.begin(), known.end(), scheme) == known.end()) {
        const auto meant = nearest(scheme, known);
        return complain(fmt::format("{} is no scheme of a device", in_quotes(scheme)),
                        meant ? fmt::format("did you mean {}:", *meant)
                              : fmt::format("write one of {}", joined(known, ", ")));
    }
    if (colon + 1 == text.size() && scheme != "null") {
        return complain(fmt::format("{} lacks the device's name", in_quotes(text)),
                        "write " + expected(key));
    }
    if (text.size() > longest || !is_printable(text)) {
        return complain(fmt::format("{} is no name of a device", in_quotes(text)),
                        fmt::format("write up to {} printable characters", longest));
    }
    return Scalar{0, text};
}

Result read_path(const std::string& text, std::string_view of, const Key& key) {
    constexpr std::size_t longest = 107;  // sockaddr_un has 108 octets, one of them for the final 0
    if (text.starts_with('/') && text.size() <= longest && is_printable(text)) {
        return Scalar{0, text};
    }
    return complain(fmt::format("{} is no path for {}", in_quotes(text), of),
                    "write " + expected(key));
}

Result read_endpoint(const std::string& text, const Key& key) {
    if (parse_endpoint(text)) return Scalar{0, text};
    return complain(fmt::format("{} is no address with a port", in_quotes(text)),
                    "write " + expected(key));
}

Result read_origin(const std::string& text, const Key& key) {
    if (is_origin(text)) return Scalar{0, text};
    return complain(fmt::format("{} is no origin", in_quotes(text)), "write " + expected(key));
}

Result read_text(const std::string& text, const Key& key) {
    const bool fits = !text.empty() && text.size() <= static_cast<std::size_t>(key.highest);
    if (fits && escaped(text) == text) return Scalar{0, text};
    return complain(fmt::format("{} is no such text", in_quotes(text)), "write " + expected(key));
}

}  // namespace

tl::expected<Scalar, Complaint> read_scalar(const std::string& text, const Key& key) {
    switch (key.kind) {
        case Kind::name:
            return read_name(text, key);
        case Kind::device:
            return read_device(text, key);
        case Kind::socket:
            return read_path(text, "a socket", key);
        case Kind::folder:
            return read_path(text, "a folder", key);
        case Kind::endpoint:
            return read_endpoint(text, key);
        case Kind::origin:
            return read_origin(text, key);
        case Kind::text:
            return read_text(text, key);
        case Kind::boolean:
            return read_boolean(text, key);
        case Kind::choice:
            return read_choice(text, key);
        case Kind::address:
            return read_address(text, key);
        case Kind::group:
            return read_group(text, key);
        case Kind::vlans:
            return read_vlans(text, key);
        default:
            return read_number(text, key);
    }
}

}  // namespace sluice::config
